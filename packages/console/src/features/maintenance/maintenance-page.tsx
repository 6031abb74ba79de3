import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { FreshnessSign } from '../../ui/freshness.tsx'
import { LiveViewTabs } from '../../ui/live-view-tabs.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Calendar } from './calendar.tsx'
import { CALENDAR_VIEWS, dayKey, dayOf } from './calendar-days.ts'
import { fr } from './fr.ts'
import classes from './maintenance.module.css'
import { MaintenanceTable } from './maintenance-list.tsx'
import { useLiveMaintenances } from './maintenance-queries.ts'

const VIEWS = [...CALENDAR_VIEWS, 'list'] as const

/** /dashboard/live-view/maintenance: what is, was and will be in maintenance, by days or as a list. */
export const MaintenancePage = () => {
  useLiveMaintenances()
  const [params, setParams] = useSearchParams()
  const writes = useSession().can('incident_write')
  const view = VIEWS.find(one => one === params.get('view')) ?? 'month'
  const today = dayOf(null, new Date())
  const date = dayOf(params.get('date'), today)
  const show = (next: (typeof VIEWS)[number], day: Date): void =>
    setParams({
      ...(next === 'month' ? {} : { view: next }),
      ...(next === 'list' || dayKey(day) === dayKey(today) ? {} : { date: dayKey(day) }),
    })
  return (
    <>
      <PageHeader
        meta={<FreshnessSign hub="service" held />}
        actions={
          writes && (
            <Button component={Link} to="/dashboard/live-view/maintenance/new" leftSection={<IconPlus size={16} />}>
              {fr.plan}
            </Button>
          )
        }
      />
      <LiveViewTabs current="maintenance" />
      <div className={classes.head}>
        <SegmentedControl
          aria-label={fr.viewLabel}
          value={view}
          onChange={value => show(VIEWS.find(one => one === value) ?? 'month', date)}
          data={VIEWS.map(value => ({ value, label: fr.views[value] }))}
        />
      </div>
      {view === 'list' ? (
        <MaintenanceTable />
      ) : (
        <Calendar view={view} date={date} today={today} onMove={day => show(view, day)} />
      )}
    </>
  )
}
