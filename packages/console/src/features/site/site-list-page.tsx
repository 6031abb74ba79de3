import { Button } from '@mantine/core'
import { IconCategory, IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { ImportLink } from '../../ui/import-link.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import { SiteList } from './site-list.tsx'
import { SiteTree } from './site-tree.tsx'
import { useSiteView } from './site-view.tsx'

const AddSite = () => (
  <Button component={Link} to="/site/edit/new" leftSection={<IconPlus size={16} />}>
    {fr.add}
  </Button>
)
const Types = () =>
  useSession().canEverywhere('site_write') && (
    <Button variant="default" component={Link} to="/site/edit/type" leftSection={<IconCategory size={16} />}>
      {fr.types.link}
    </Button>
  )

/** /site: consultation, as a list or as a tree. */
export const SiteListPage = () => {
  const writes = useSession().can('site_write')
  const { isTree } = useSiteView()
  const Sites = isTree ? SiteTree : SiteList
  return (
    <>
      {writes && <PageHeader actions={<AddSite />} />}
      <Sites mode="read" emptyText={writes ? fr.emptyText : fr.emptyTextReader} emptyAction={writes && <AddSite />} />
    </>
  )
}

/** /site/edit: the same, opening the editor. */
export const SiteEditListPage = () => {
  const { isTree } = useSiteView()
  const Sites = isTree ? SiteTree : SiteList
  return (
    <>
      <PageHeader
        actions={
          <>
            <Types />
            <ImportLink to="/site/edit/import" />
            <AddSite />
          </>
        }
      />
      <Sites mode="edit" emptyText={fr.emptyText} emptyAction={<AddSite />} />
    </>
  )
}
