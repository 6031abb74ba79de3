import { Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { Notice } from '../../ui/notice.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import classes from './first-run.module.css'
import { useProbeCounts } from './first-run-queries.ts'
import { fr } from './fr.ts'

/** Whether somebody is there to ask the equipment, live. */
export const ProbeLine = () => {
  const { data } = useProbeCounts()
  const manages = useSession().can('probe_write')
  if (data === undefined) return <p className={classes.probe} />
  if (data.online > 0)
    return (
      <p className={classes.probe} role="status">
        <SeverityIcon severity="ok" size={15} />
        {fr.probe.online}
      </p>
    )
  const [title, text, way] =
    data.probes === 0
      ? [fr.probe.none, fr.probe.noneText, fr.probe.install]
      : [fr.probe.offline, fr.probe.offlineText, fr.probe.see]
  return (
    <Notice tone="warning" icon={<IconAlertTriangle size={18} />} title={title}>
      <p>
        {text}{' '}
        {manages && (
          <Anchor component={Link} to="/probe/edit" inherit>
            {way}
          </Anchor>
        )}
      </p>
    </Notice>
  )
}
