import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { FirstHostButton } from '../../ui/first-host-button.tsx'
import { ImportLink } from '../../ui/import-link.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import { MetricList } from './metric-list.tsx'

/** /metric: consultation. */
export const MetricListPage = () => <MetricList mode="read" emptyAction={<FirstHostButton />} />

/** /metric/edit: the same, opening the editor. */
export const MetricEditListPage = () => {
  const { can } = useSession()
  // A metric is created on a scanner, which must then be seen.
  const creates = can('scanner_read')
  return (
    <>
      <PageHeader
        actions={
          <>
            <ImportLink to="/metric/edit/import" />
            {creates && (
              <Button component={Link} to="/metric/edit/new" leftSection={<IconPlus size={16} />}>
                {fr.add}
              </Button>
            )}
          </>
        }
      />
      <MetricList mode="edit" emptyAction={<FirstHostButton />} />
    </>
  )
}
