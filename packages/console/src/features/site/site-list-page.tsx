import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { ImportLink } from '../../ui/import-link.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import { SiteList } from './site-list.tsx'

const AddSite = () => (
  <Button component={Link} to="/site/edit/new" leftSection={<IconPlus size={16} />}>
    {fr.add}
  </Button>
)

/** /site: consultation. */
export const SiteListPage = () => {
  const writes = useSession().can('site_write')
  return (
    <>
      {writes && <PageHeader actions={<AddSite />} />}
      <SiteList
        mode="read"
        emptyText={writes ? fr.emptyText : fr.emptyTextReader}
        emptyAction={writes && <AddSite />}
      />
    </>
  )
}

/** /site/edit: the same, opening the editor. */
export const SiteEditListPage = () => (
  <>
    <PageHeader
      actions={
        <>
          <ImportLink to="/site/edit/import" />
          <AddSite />
        </>
      }
    />
    <SiteList mode="edit" emptyText={fr.emptyText} emptyAction={<AddSite />} />
  </>
)
