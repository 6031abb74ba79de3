import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Incident, incidentRoutes } from '@narval/contracts'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { formatDuration } from '../../lib/format.ts'
import { openedAndReopened } from '../../lib/incident-time.ts'
import { useSession } from '../../lib/session.ts'
import { FailsSince } from '../../ui/incident-age.tsx'
import { Card, errorText } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { incidentPath } from './chain-view.ts'
import { fr } from './fr.ts'
import classes from './incident-page.module.css'

interface MergedProps {
  readonly merged: readonly Incident[]
  readonly onChanged: () => void
}

/** Incidents that this one explains; each can be followed for itself again. */
export const Merged = ({ merged, onChanged }: MergedProps) => {
  if (merged.length === 0) return null
  return (
    <Card title={fr.merged}>
      <p className={classes.quiet}>{fr.mergedOf(merged.length)}.</p>
      <ul className={classes.effects} data-whole {...(merged.length > 8 && { tabIndex: 0 })}>
        {merged.map(incident => (
          <MergedLine key={incident.id} incident={incident} onChanged={onChanged} />
        ))}
      </ul>
    </Card>
  )
}

/** Lets an incident be followed for itself again. */
export const useSeparate = (onChanged: () => void) =>
  useMutation({
    mutationFn: (incident: Incident) => call(incidentRoutes.separate, { params: { id: String(incident.id) } }),
    onSuccess: ({ title }) => {
      onChanged()
      notifications.show({ title: fr.separated, message: fr.separatedText(title), color: 'blue' })
    },
    onError: error => notifications.show({ title: fr.failed, message: errorText(error), color: 'red' }),
  })

const MergedLine = ({ incident, onChanged }: { readonly incident: Incident; readonly onChanged: () => void }) => {
  const acts = useSession().canOn(incident, 'incident_write')
  const separation = useSeparate(onChanged)
  const over = incident.closedAt !== null
  return (
    <li>
      <SeverityIcon severity={over ? 'ok' : incident.severity} label={over ? fr.closed : fr.open} />
      <span className={classes.mergedLine}>
        <span>
          <Link to={incidentPath(incident.id)}>{incident.title}</Link>
          <span className={classes.detail}>
            {' '}
            {incident.closedAt === null ? (
              <FailsSince incident={incident} />
            ) : incident.reopened > 0 ? (
              openedAndReopened(incident)
            ) : (
              fr.lasted(formatDuration(Date.parse(incident.closedAt) - Date.parse(incident.openedAt)))
            )}
          </span>
        </span>
        {acts && !over && (
          <Button
            variant="subtle"
            size="compact-xs"
            loading={separation.isPending}
            leftSection={<IconArrowsSplit2 size={14} />}
            aria-label={fr.separateOf(incident.title)}
            onClick={() => separation.mutate(incident)}
          >
            {fr.separate}
          </Button>
        )}
      </span>
    </li>
  )
}
