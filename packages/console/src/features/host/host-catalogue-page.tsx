import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { hostRoutes } from '@narval/contracts'
import { IconPlus } from '@tabler/icons-react'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { catalogue } from '../../i18n/catalogue.ts'
import { call } from '../../lib/api.ts'
import classes from '../../ui/catalogue.module.css'
import { CatalogueList } from '../../ui/catalogue-list.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { Card, ErrorState, LoadingState } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import { type HardwareModel, HardwareModelDialog, type HostType, HostTypeDialog } from './host-catalogue-dialogs.tsx'
import { HostTypeIcon } from './host-type-icon.tsx'

const { catalogue: words } = fr

/** /host/edit/type: types of equipment and hardware models. */
export const HostCataloguePage = () => {
  const types = useQuery({ queryKey: ['host-types'], queryFn: ({ signal }) => call(hostRoutes.types, { signal }) })
  const models = useQuery({ queryKey: ['host-models'], queryFn: ({ signal }) => call(hostRoutes.models, { signal }) })
  return (
    <div className={classes.cards}>
      <CatalogueCard<HostType>
        title={words.types}
        help={words.typesHelp}
        add={words.addType}
        query={types}
        icon={type => <HostTypeIcon icon={type.icon} size={20} />}
        empty={words.noType}
        dialog={HostTypeDialog}
        remove={id => call(hostRoutes.deleteType, { params: { id } })}
      />
      <CatalogueCard<HardwareModel>
        title={words.models}
        help={words.modelsHelp}
        add={words.addModel}
        query={models}
        note={model => model.manufacturer}
        empty={words.noModel}
        dialog={HardwareModelDialog}
        remove={id => call(hostRoutes.deleteModel, { params: { id } })}
      />
    </div>
  )
}

interface CatalogueCardProps<T extends { readonly id: number; readonly name: string }> {
  readonly title: string
  readonly help: string
  readonly add: string
  readonly query: UseQueryResult<T[]>
  readonly icon?: (entry: T) => ReactNode
  readonly note?: (entry: T) => string
  readonly empty: string
  readonly dialog: (props: {
    readonly entry: T | null
    readonly onClose: () => void
    readonly onSaved: (saved: T) => void
  }) => ReactNode
  readonly remove: (id: number) => Promise<unknown>
}

/** One of the two lists, with what can be done with it. */
const CatalogueCard = <T extends { readonly id: number; readonly name: string }>(props: CatalogueCardProps<T>) => {
  const { title, help, add, query, icon, note, empty, dialog: Dialog, remove } = props
  const client = useQueryClient()
  const [edited, setEdited] = useState<T | 'new' | null>(null)
  const [deleted, setDeleted] = useState<T | null>(null)
  const done = (message: string): void => {
    notifications.show({ message, color: 'green' })
    void client.invalidateQueries()
    setEdited(null)
    setDeleted(null)
  }
  return (
    <Card
      flush
      title={title}
      aside={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={15} />}
          disabled={query.data === undefined}
          onClick={() => setEdited('new')}
        >
          {add}
        </Button>
      }
    >
      <p className={classes.cardHelp}>{help}</p>
      {query.data !== undefined ? (
        <CatalogueList
          entries={query.data}
          {...(icon && { icon })}
          {...(note && { note })}
          empty={empty}
          onEdit={setEdited}
          onDelete={setDeleted}
        />
      ) : query.error === null ? (
        <LoadingState />
      ) : (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {edited !== null && (
        <Dialog
          entry={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={saved => done(catalogue.saved(saved.name))}
        />
      )}
      {deleted !== null && (
        <DeleteDialog
          opened
          onClose={() => setDeleted(null)}
          name={deleted.name}
          recorded={false}
          plan={async () => ({})}
          run={async () => {
            await remove(deleted.id)
          }}
          onDeleted={() => done(catalogue.deleted(deleted.name))}
        />
      )}
    </Card>
  )
}
