import { Button } from '@mantine/core'
import { IconCategory, IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { FirstHostButton } from '../../ui/first-host-button.tsx'
import { ImportLink } from '../../ui/import-link.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import { HostList } from './host-list.tsx'

const AddHost = () => (
  <Button component={Link} to="/host/edit/new" leftSection={<IconPlus size={16} />}>
    {fr.add}
  </Button>
)

const CatalogueLink = () =>
  useSession().canEverywhere('host_write') && (
    <Button variant="default" component={Link} to="/host/edit/type" leftSection={<IconCategory size={16} />}>
      {fr.catalogue.link}
    </Button>
  )

const ModelsLink = () =>
  useSession().can('scanner_read') && (
    <Button variant="default" component={Link} to="/host/model">
      {fr.models}
    </Button>
  )

/** /host: consultation. */
export const HostListPage = () => {
  const writes = useSession().can('host_write')
  return (
    <>
      {writes && <PageHeader actions={<AddHost />} />}
      <HostList
        mode="read"
        emptyText={writes ? fr.emptyText : fr.emptyTextReader}
        emptyAction={<FirstHostButton otherwise={writes && <AddHost />} />}
      />
    </>
  )
}

/** /host/edit: the same, opening the editor. */
export const HostEditListPage = () => (
  <>
    <PageHeader
      actions={
        <>
          <ModelsLink />
          <CatalogueLink />
          <ImportLink to="/host/edit/import" />
          <AddHost />
        </>
      }
    />
    <HostList mode="edit" emptyText={fr.emptyText} emptyAction={<FirstHostButton otherwise={<AddHost />} />} />
  </>
)
