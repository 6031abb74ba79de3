import { Button } from '@mantine/core'
import { type Probe, probeRoutes } from '@narval/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { formatMilliseconds, formatNumber, NOTHING } from '../../lib/format.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { PageHeader } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { EnrollDialog } from './enroll-dialog.tsx'
import { fr } from './fr.ts'
import { GroupCard } from './group-card.tsx'
import { PendingProbes } from './pending-probes.tsx'
import classes from './probe.module.css'
import { Skew } from './probe-figures.tsx'
import { PROBE_LIST, useLiveProbes } from './probe-queries.ts'
import { PROBE_SEVERITY, ProbeStateBadge } from './probe-state.tsx'

const { columns: words } = fr
const time = (ms: number | null): string => (ms === null ? NOTHING : formatMilliseconds(ms))

const columns: readonly TableColumn<Probe>[] = [
  {
    id: 'state',
    header: words.state,
    width: 116,
    card: 'corner',
    cell: probe => <ProbeStateBadge state={probe.state} />,
  },
  {
    id: 'name',
    header: words.name,
    grow: 2.6,
    card: 'title',
    cell: probe => (
      <>
        <strong>{probe.name}</strong>
        {probe.local && <span className={classes.tag}>{fr.local}</span>}
      </>
    ),
  },
  { id: 'siteName', header: words.site, cell: probe => probe.siteName ?? '' },
  { id: 'address', header: words.address, cell: probe => probe.address },
  { id: 'version', header: words.version, width: 82, cell: probe => probe.version },
  {
    id: 'lastContact',
    header: words.contact,
    width: 132,
    align: 'right',
    cell: probe => <Ago at={probe.lastContact} />,
  },
  {
    id: 'backlog',
    header: words.backlog,
    width: 94,
    align: 'right',
    sortable: false,
    cell: probe => (
      <span title={fr.backlogHelp}>{probe.backlog === null ? NOTHING : formatNumber(probe.backlog, 0)}</span>
    ),
  },
  { id: 'lagMs', header: words.lag, width: 82, align: 'right', sortable: false, cell: probe => time(probe.lagMs) },
  {
    id: 'skewMs',
    header: words.skew,
    width: 122,
    align: 'right',
    sortable: false,
    cell: probe => <Skew ms={probe.skewMs} />,
  },
  {
    id: 'checksPerSecond',
    header: words.rate,
    width: 104,
    align: 'right',
    sortable: false,
    cell: probe => (probe.checksPerSecond === null ? NOTHING : fr.perSecond(probe.checksPerSecond)),
  },
]
const FILTERS: readonly TableFilter[] = [{ name: 'siteId', label: fr.filters.site, source: siteOptions }]
const LOOK: RowLook<Probe> = {
  key: probe => probe.id,
  name: probe => probe.name,
  href: probe => `/probe/edit/${probe.id}`,
  edge: probe => PROBE_SEVERITY[probe.state],
  muted: probe => probe.state === 'revoked',
}
const BY_NAME = { column: 'name', dir: 'asc' } as const
/** Figures such as lag change without an event. */
const REFRESH_MS = 10_000

/** /probe/edit: those that wait, then all of them. */
export const ProbeListPage = () => {
  const [enrolling, setEnrolling] = useState(false)
  useLiveProbes()
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEnrolling(true)}>
      {fr.add}
    </Button>
  )
  return (
    <>
      <PageHeader actions={add} />
      <PendingProbes />
      <DataTable<Probe>
        list={PROBE_LIST}
        fetchPage={(body, signal) => call(probeRoutes.datatable.put, { body, signal })}
        columns={columns}
        filters={FILTERS}
        defaultSort={BY_NAME}
        look={LOOK}
        noun={fr.probe}
        searchLabel={fr.search}
        empty={{ title: fr.emptyTitle, text: fr.emptyText, action: add }}
        hub="service"
        refreshMs={REFRESH_MS}
      />
      <GroupCard />
      <EnrollDialog opened={enrolling} onClose={() => setEnrolling(false)} />
    </>
  )
}
