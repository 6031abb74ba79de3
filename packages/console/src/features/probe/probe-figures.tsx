import type { Probe } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { formatBytes, formatMilliseconds, formatNumber, formatRatio, NOTHING } from '../../lib/format.ts'
import { Facts } from '../../ui/facts.tsx'
import { Card } from '../../ui/page.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { groupsQuery } from './group-queries.ts'
import { ProbeStateBadge } from './probe-state.tsx'

/** Clocks further apart than this are shown as a warning (R25). */
const SKEW_MS = 30_000

/** How far a probe's clock is from the server's. */
export const Skew = ({ ms }: { readonly ms: number | null }) =>
  ms !== null && Math.abs(ms) > SKEW_MS ? (
    <SeverityBadge severity="warning">{time(ms)}</SeverityBadge>
  ) : (
    <span>{time(ms)}</span>
  )

const whole = (value: number | null): string => (value === null ? NOTHING : formatNumber(value, 0))
const time = (ms: number | null): string => (ms === null ? NOTHING : formatMilliseconds(ms))

/** How a probe does, as it says itself; what asks for somebody is in the colour of a warning. */
export const ProbeFigures = ({ probe }: { readonly probe: Probe }) => {
  const { data: groups = [] } = useQuery(groupsQuery)
  const group = groups.find(one => one.memberIds.includes(probe.id))
  return (
    <Card title={fr.sections.figures}>
      <Facts
        facts={[
          { label: fr.facts.state, value: <ProbeStateBadge state={probe.state} /> },
          { label: fr.facts.contact, value: <Ago at={probe.lastContact} /> },
          { label: fr.facts.version, value: probe.version },
          {
            label: fr.facts.rate,
            value: probe.checksPerSecond === null ? NOTHING : fr.perSecond(probe.checksPerSecond),
          },
          { label: fr.facts.backlog, value: whole(probe.backlog) },
          { label: fr.facts.lag, value: time(probe.lagMs) },
          { label: fr.facts.skew, value: <Skew ms={probe.skewMs} /> },
          { label: fr.facts.late, value: whole(probe.late) },
          { label: fr.facts.dropped, value: whole(probe.dropped) },
          { label: fr.facts.cpu, value: probe.cpuRatio === null ? NOTHING : formatRatio(probe.cpuRatio) },
          { label: fr.facts.memory, value: probe.memoryBytes === null ? NOTHING : formatBytes(probe.memoryBytes) },
          { label: fr.facts.group, value: group?.name ?? '' },
          { label: fr.facts.hosts, value: whole(probe.hosts) },
          { label: fr.facts.scanners, value: whole(probe.scanners) },
        ]}
      />
    </Card>
  )
}
