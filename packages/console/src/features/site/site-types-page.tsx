import { ActionIcon, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { siteRoutes } from '@narval/contracts'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { Card, EmptyState, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import { type SiteType, SiteTypeDialog } from './site-type-dialog.tsx'
import { SiteTypeIcon } from './site-type-icon.tsx'
import classes from './site-types.module.css'

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
        {data.length === 0 ? (
          <EmptyState title={words.empty} />
        ) : (
          <ul className={classes.list}>
            {data.map(type => (
              <li key={type.id} className={classes.type}>
                <SiteTypeIcon icon={type.icon} size={20} />
                <span className={classes.name}>{type.name}</span>
                <ActionIcon variant="subtle" aria-label={words.edit(type.name)} onClick={() => setEdited(type)}>
                  <IconPencil size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={words.remove(type.name)}
                  onClick={() => setDeleted(type)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {edited !== null && (
        <SiteTypeDialog
          type={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={type => done(words.saved(type.name))}
        />
      )}
      {deleted !== null && (
        <DeleteDialog
          opened
          onClose={() => setDeleted(null)}
          name={deleted.name}
          plan={async () => ({})}
          run={async () => {
            await call(siteRoutes.deleteType, { params: { id: deleted.id } })
          }}
          onDeleted={() => done(words.deleted(deleted.name))}
        />
      )}
    </>
  )
}
