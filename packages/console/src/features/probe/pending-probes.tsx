import { Button } from '@mantine/core'
import { probeRoutes } from '@narval/contracts'
import { IconRouter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { Notice } from '../../ui/notice.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './probe.module.css'
import { Fingerprint } from './probe-key.tsx'
import { PENDING_KEY, useProbeAction } from './probe-queries.ts'

const REFRESH_MS = 10_000

/** Probes that enrolled and wait for a person, before everything else. */
export const PendingProbes = () => {
  const { data } = useQuery({
    queryKey: PENDING_KEY,
    queryFn: ({ signal }) => call(probeRoutes.list, { signal }),
    select: probes => probes.filter(probe => probe.state === 'pending'),
    refetchInterval: REFRESH_MS,
  })
  const approval = useProbeAction('approve')
  if (data === undefined || data.length === 0) return null
  return (
    <Notice tone="warning" icon={<IconRouter size={18} />} title={fr.pendingTitle(data.length)}>
      <ul className={classes.pendingList}>
        {data.map(probe => (
          <li key={probe.id}>
            <strong>{probe.name}</strong>
            <span>
              {fr.pendingFrom(probe.address)} · <Ago at={probe.createdAt} />
            </span>
            <span>
              {fr.compare(probe.name)} <Fingerprint text={probe.fingerprint} />
            </span>
            <Button
              size="compact-sm"
              loading={approval.isPending && approval.variables === probe.id}
              onClick={() => approval.mutate(probe.id)}
            >
              {fr.approve}
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
