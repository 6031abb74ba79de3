import { Button } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { Link } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { Card, EmptyState } from '../../ui/page.tsx'

/** The account lacks the claim that the route asks (spec §6). */
export const Forbidden = () => (
  <Card>
    <EmptyState
      title={fr.shell.forbidden}
      icon={<IconLock size={28} stroke={1.6} />}
      action={
        <Button component={Link} to="/home">
          {fr.shell.backHome}
        </Button>
      }
    >
      {fr.shell.forbiddenText}
    </EmptyState>
  </Card>
)

/** The page threw, or its file could not be fetched (a newer console was installed meanwhile). */
export const PageFailure = () => (
  <Card role="alert">
    <EmptyState
      title={fr.states.renderTitle}
      icon={<IconAlertTriangle size={28} stroke={1.6} />}
      action={<Button onClick={() => location.reload()}>{fr.states.reload}</Button>}
    >
      {fr.states.renderText}
    </EmptyState>
  </Card>
)
