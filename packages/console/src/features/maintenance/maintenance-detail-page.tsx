import { Button } from '@mantine/core'
import { type Maintenance, maintenanceRoutes } from '@narval/contracts'
import { IconPencil, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { call } from '../../lib/api.ts'
import { formatDuration } from '../../lib/format.ts'
import { Facts } from '../../ui/facts.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { MissingRecord, RecordView } from '../../ui/record.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import classes from './maintenance.module.css'
import { ConfirmDialog } from './maintenance-confirm.tsx'
import own from './maintenance-detail-page.module.css'
import { ExtendButton } from './maintenance-extend.tsx'
import { maintenanceQuery, useLiveMaintenances } from './maintenance-queries.ts'
import { Runs } from './maintenance-runs.tsx'
import { StateBadge } from './maintenance-state.tsx'
import { spanText, whenText } from './maintenance-when.ts'

const LIST = '/dashboard/live-view/maintenance'
const DAY_MS = 86_400_000

/** /dashboard/live-view/maintenance/:id: what it covers, when, and what each time left broken. */
export const MaintenanceDetailPage = () => {
  const id = useIdParam()
  return id === null ? MISSING : <Detail key={id} id={id} />
}

const MISSING = <MissingRecord words={fr} list={LIST} />

const Detail = ({ id }: { readonly id: number }) => {
  const again = useLiveMaintenances()
  return (
    <RecordView query={useQuery(maintenanceQuery(id))} height={600} missing={MISSING}>
      {maintenance => (
        <>
          <PageHeader
            title={maintenance.comment}
            meta={
              <>
                <StateBadge state={maintenance.state} /> {whenText(maintenance)}
              </>
            }
            actions={<Actions maintenance={maintenance} onChanged={again} />}
          />
          <div className={own.columns}>
            <Card title={fr.runs}>
              <Runs id={id} canExtend={canReopen(maintenance)} onChanged={again} />
            </Card>
            <aside className={classes.stack}>
              <Card title={fr.facts.state}>
                <Facts facts={factsOf(maintenance)} />
              </Card>
              <Card title={fr.sections.objects}>
                <Objects maintenance={maintenance} />
              </Card>
            </aside>
          </div>
        </>
      )}
    </RecordView>
  )
}

/** One that ended less than a day ago may be opened again. */
const canReopen = ({ state, lastRun }: Maintenance): boolean =>
  state !== 'running' && lastRun?.endedAt != null && Date.now() - Date.parse(lastRun.endedAt) < DAY_MS

const factsOf = (maintenance: Maintenance) => {
  const { current, next, flexibleMinutes, propagate, covered, author, state, updatedAt, updatedBy } = maintenance
  return [
    { label: fr.facts.current, value: current === null ? null : spanText(current) },
    { label: fr.facts.next, value: next === null ? null : spanText(next) },
    {
      label: fr.facts.flexible,
      value: flexibleMinutes === null ? null : fr.flexibleFor(formatDuration(flexibleMinutes * 60_000)),
    },
    { label: fr.facts.covered, value: state === 'over' ? null : fr.covered(covered.hosts, covered.metrics) },
    { label: fr.facts.propagate, value: propagate ? fr.propagated : null },
    { label: fr.facts.author, value: author },
    {
      label: fr.facts.updated,
      value: (
        <>
          <Ago at={updatedAt} />
          {updatedBy !== null && ` ${fr.updatedBy(updatedBy)}`}
        </>
      ),
    },
  ]
}

const Objects = ({ maintenance }: { readonly maintenance: Maintenance }) => {
  const { sites, hosts, metrics, siteCount, hostCount, metricCount } = maintenance
  const groups = [
    { title: fr.sites, count: siteCount, links: sites.map(one => ({ to: `/site/${one.id}`, text: one.name })) },
    { title: fr.hosts, count: hostCount, links: hosts.map(one => ({ to: `/host/${one.id}`, text: one.name })) },
    {
      title: fr.metrics,
      count: metricCount,
      links: metrics.map(one => ({ to: `/metric/${one.id}`, text: `${one.hostName}\u202f: ${one.name}` })),
    },
  ].filter(({ count }) => count > 0)
  if (groups.length === 0) return <p className={classes.quiet}>{fr.noObject}</p>
  return groups.map(({ title, count, links }) => (
    <div key={title}>
      <h3 className={own.groupTitle}>{title}</h3>
      <ul className={own.names}>
        {links.map(({ to, text }) => (
          <li key={to}>
            <Link to={to}>{text}</Link>
          </li>
        ))}
        {count > links.length && <li>{fr.others(count - links.length)}</li>}
      </ul>
    </div>
  ))
}

interface ActionsProps {
  readonly maintenance: Maintenance
  readonly onChanged: () => void
}

const Actions = ({ maintenance, onChanged }: ActionsProps) => {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'end' | 'delete' | null>(null)
  const { id, state, schedule } = maintenance
  if (!maintenance.mayChange) return null
  const end = async (): Promise<void> => {
    await call(maintenanceRoutes.end, { params: { id } })
    void showToast({ message: fr.ended, color: 'green' })
    onChanged()
  }
  const remove = async (): Promise<void> => {
    await call(maintenanceRoutes.delete, { params: { id } })
    void showToast({ message: fr.deleted, color: 'green' })
    await navigate(LIST)
  }
  return (
    <>
      {(state === 'running' || state === 'armed') && (
        <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={() => setAsked('end')}>
          {fr.end}
        </Button>
      )}
      {state === 'running' && <ExtendButton id={id} onChanged={onChanged} />}
      <Button variant="default" component={Link} to={`${LIST}/${id}/edit`} leftSection={<IconPencil size={16} />}>
        {fr.edit}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setAsked('delete')}>
        {fr.delete}
      </Button>
      <ConfirmDialog
        opened={asked === 'end'}
        title={fr.end}
        text={schedule.kind === 'recurring' ? `${fr.endText} ${fr.endRecurring}` : fr.endText}
        run={end}
        onClose={() => setAsked(null)}
      />
      <ConfirmDialog
        opened={asked === 'delete'}
        title={fr.deleteTitle}
        text={fr.deleteText}
        run={remove}
        onClose={() => setAsked(null)}
      />
    </>
  )
}
