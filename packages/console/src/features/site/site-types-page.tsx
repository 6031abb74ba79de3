import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { siteRoutes } from '@narval/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { catalogue } from '../../i18n/catalogue.ts'
import { call } from '../../lib/api.ts'
import classes from '../../ui/catalogue.module.css'
import { CatalogueList } from '../../ui/catalogue-list.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { Card, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import { type SiteType, SiteTypeDialog } from './site-type-dialog.tsx'
import { SiteTypeIcon } from './site-type-icon.tsx'

const { types: words } = fr
const KEY = ['site-types']

/** /site/edit/type: the types of sites. */
export const SiteTypesPage = () => {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(siteRoutes.types, { signal }),
  })
  const [edited, setEdited] = useState<SiteType | 'new' | null>(null)
  const [deleted, setDeleted] = useState<SiteType | null>(null)
  const done = (message: string): void => {
    notifications.show({ message, color: 'green' })
    void client.invalidateQueries()
    setEdited(null)
    setDeleted(null)
  }
  if (data === undefined)
    return error === null ? (
      <LoadingState />
    ) : (
      <Card>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Card>
    )
  return (
    <>
      <PageHeader
        actions={
          <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
            {words.add}
          </Button>
        }
      />
      <p className={classes.help}>{words.help}</p>
      <Card flush>
        <CatalogueList
          entries={data}
          icon={type => <SiteTypeIcon icon={type.icon} size={20} />}
          empty={words.empty}
          onEdit={setEdited}
          onDelete={setDeleted}
        />
      </Card>
      {edited !== null && (
        <SiteTypeDialog
          type={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={type => done(catalogue.saved(type.name))}
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
            await call(siteRoutes.deleteType, { params: { id: deleted.id } })
          }}
          onDeleted={() => done(catalogue.deleted(deleted.name))}
        />
      )}
    </>
  )
}
