import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { Link } from 'react-router'
import { form as words } from '../i18n/form.ts'
import { useSession } from '../lib/session.ts'

/** Who does not write everywhere imports nothing. */
const CLAIMS = {
  '/site/edit/import': 'site_write',
  '/host/edit/import': 'host_write',
  '/metric/edit/import': 'metric_write',
} as const

/** Leads from the edition of a list to the import of a file into it. */
export const ImportLink = ({ to }: { readonly to: keyof typeof CLAIMS }) =>
  useSession().canEverywhere(CLAIMS[to]) && (
    <Button component={Link} to={to} variant="default" leftSection={<IconFileImport size={16} />}>
      {words.importFile}
    </Button>
  )
