import { Button } from '@mantine/core'
import { parameterRoutes } from '@narval/contracts'
import { IconAlertTriangle, IconLock, IconPlugConnectedX } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useRouteError } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { useHubJoined } from '../../lib/hub.ts'
import { isMissingFile } from '../../lib/missing-file.ts'
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

/** The page threw, or its file could not be fetched: the server is away, or a newer console was installed meanwhile. */
export const PageFailure = () =>
  isMissingFile(useRouteError()) ? (
    <MissingFile />
  ) : (
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

/** Loads the console again as soon as the server answers, never before: the browser would have nothing to show. */
const MissingFile = () => {
  const [asking, setAsking] = useState(false)
  const retry = async (): Promise<void> => {
    setAsking(true)
    try {
      await call(parameterRoutes.public)
      location.reload()
    } catch {
      setAsking(false)
    }
  }
  useHubJoined('communication', again => {
    if (again) location.reload()
  })
  return (
    <Card role="alert">
      <EmptyState
        title={fr.states.missingTitle}
        icon={<IconPlugConnectedX size={28} stroke={1.6} />}
        action={
          <Button loading={asking} onClick={() => void retry()}>
            {fr.common.retry}
          </Button>
        }
      >
        {fr.api.unreachable}
      </EmptyState>
    </Card>
  )
}
