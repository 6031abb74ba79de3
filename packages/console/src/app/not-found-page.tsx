import { Button } from '@mantine/core'
import { IconCompassOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import { fr } from '../i18n/fr.ts'
import { Card, EmptyState } from '../ui/page.tsx'

const HomeLink = () => (
  <Button component={Link} to="/home">
    {fr.shell.backHome}
  </Button>
)

/** /404 (spec §2). */
export const NotFoundPage = () => (
  <Card>
    <EmptyState title={fr.shell.notFound} icon={<IconCompassOff size={28} stroke={1.6} />} action={<HomeLink />}>
      {fr.shell.notFoundText}
    </EmptyState>
  </Card>
)
