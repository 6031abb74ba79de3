import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { Link } from 'react-router'
import { form as words } from '../i18n/form.ts'

/** Leads from the edition of a list to the import of a file into it. */
export const ImportLink = ({ to }: { readonly to: `/${string}/edit/import` }) => (
  <Button component={Link} to={to} variant="default" leftSection={<IconFileImport size={16} />}>
    {words.importFile}
  </Button>
)
