import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { catalogue } from '../i18n/catalogue.ts'
import classes from './catalogue.module.css'
import { CatalogueList } from './catalogue-list.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { Card, NotLoaded } from './page.tsx'

interface CatalogueCardProps<T extends { readonly id: number; readonly name: string }> {
  /** Left out where the page's title says it. */
  readonly title?: string
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

/** A short list of things that objects choose from: what they are, and adding, naming and deleting them. */
export const CatalogueCard = <T extends { readonly id: number; readonly name: string }>(
  props: CatalogueCardProps<T>,
) => {
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
      ) : (
        <NotLoaded error={query.error} onRetry={query.refetch} />
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
