import { Button } from '@mantine/core'
import { type ScannerPing, scannerRoutes } from '@narval/contracts'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { formatMilliseconds, formatRatio, NOTHING } from '../../lib/format.ts'
import { hostOptions, probeOptions, siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { enabledFilter, severityFilter } from '../../ui/common-filters.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { SeverityBadge } from '../../ui/severity.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'

const { columns: words } = fr.pings

type Figure = 'rttMin' | 'rttAvg' | 'rttMax' | 'jitter'
const timeOf = (ms: number | null): string => (ms === null ? NOTHING : formatMilliseconds(ms))
const figure = (id: Figure, hidden = false): TableColumn<ScannerPing> => ({
  ...{ id, header: words[id], width: 88, align: 'right', hidden },
  cell: ping => timeOf(ping[id]),
})

const columns: readonly TableColumn<ScannerPing>[] = [
  {
    id: 'severity',
    header: words.severity,
    width: 110,
    card: 'corner',
    cell: ping => <SeverityBadge severity={ping.severity} />,
  },
  { id: 'hostName', header: words.host, grow: 1.8, card: 'title', cell: ping => <strong>{ping.hostName}</strong> },
  { id: 'hostAddress', header: words.address, cell: ping => ping.hostAddress },
  { id: 'name', header: words.name, hidden: true, cell: ping => ping.name },
  { id: 'siteName', header: words.site, cell: ping => ping.siteName },
  { id: 'probeName', header: words.probe, cell: ping => ping.probeName ?? NOTHING },
  {
    id: 'lossRatio',
    header: words.loss,
    width: 72,
    align: 'right',
    cell: ({ lossRatio }) => (lossRatio === null ? NOTHING : formatRatio(lossRatio)),
  },
  figure('rttMin'),
  figure('rttAvg'),
  figure('rttMax'),
  figure('jitter'),
  {
    id: 'since',
    header: words.since,
    width: 110,
    align: 'right',
    hidden: true,
    cell: ping => <Since at={ping.since} />,
  },
  {
    id: 'lastRun',
    header: words.lastRun,
    width: 118,
    align: 'right',
    cell: ({ lastRun, lastError }) => (
      <span title={lastError ?? ''}>
        <Ago at={lastRun} />
      </span>
    ),
  },
]

const FILTERS: readonly TableFilter[] = [
  severityFilter,
  { name: 'siteId', label: fr.filters.site, source: siteOptions },
  { name: 'hostId', label: fr.filters.host, source: hostOptions },
  enabledFilter,
]
const WITH_PROBES: readonly TableFilter[] = [
  ...FILTERS,
  { name: 'probeId', label: fr.filters.probe, source: probeOptions },
]
const LOOK: RowLook<ScannerPing> = {
  key: ping => ping.id,
  name: ping => `${ping.hostName} · ${ping.name}`,
  href: ping => `/scanner/edit/${ping.id}`,
  edge: ping => (ping.enabled ? ping.severity : null),
  muted: ping => !ping.enabled,
}
const ALSO_SEARCHED = ['hostName', 'hostAddress', 'name', 'siteName']
const WORST = { column: 'severity', dir: 'asc' } as const
const REFRESH_MS = 10_000

/** /scanner/edit/ping: every ping with its last values, the worst first. */
export const PingListPage = () => {
  const session = useSession()
  return (
    <DataTable<ScannerPing>
      list="scanner-ping"
      fetchPage={(body, signal) => call(scannerRoutes.pingDatatable.put, { body, signal })}
      columns={columns}
      filters={session.can('probe_write') ? WITH_PROBES : FILTERS}
      defaultSort={WORST}
      thenBy="hostName"
      alsoSearched={ALSO_SEARCHED}
      look={LOOK}
      noun={fr.pings.noun}
      searchLabel={fr.pings.search}
      empty={{
        title: fr.pings.emptyTitle,
        text: fr.pings.emptyText,
        action: session.can('scanner_write') && <AddPing />,
      }}
      refreshMs={REFRESH_MS}
    />
  )
}

/** A new scanner is a ping unless another kind is chosen. */
const AddPing = () => (
  <Button component={Link} to="/scanner/edit/new" leftSection={<IconPlus size={16} />}>
    {fr.pings.add}
  </Button>
)
