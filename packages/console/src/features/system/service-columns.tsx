import { SERVICE_KINDS, SERVICE_STATES, type Service } from '@narval/contracts'
import { NOTHING } from '../../lib/format.ts'
import type { TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { Ago, Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { ServiceStateBadge } from './service-state.tsx'
import classes from './system.module.css'

const { columns: words } = fr

export const SERVICE_COLUMNS: readonly TableColumn<Service>[] = [
  {
    id: 'state',
    header: words.state,
    width: 116,
    card: 'corner',
    cell: service => <ServiceStateBadge state={service.state} />,
  },
  {
    id: 'name',
    header: words.name,
    width: 208,
    card: 'title',
    cell: service => (
      <>
        <strong>{service.name}</strong>
        {service.kind === 'probe' && <span className={classes.tag}>{fr.kinds.probe}</span>}
      </>
    ),
  },
  {
    id: 'reason',
    header: words.reason,
    grow: 2.6,
    wrap: true,
    cell: service => service.reason,
  },
  { id: 'since', header: words.since, width: 98, align: 'right', cell: service => <Since at={service.since} /> },
  {
    id: 'rate',
    header: words.rate,
    width: 120,
    align: 'right',
    cell: ({ rate, rateOf }) => (rate === null ? NOTHING : fr.rate(rate, rateOf)),
  },
  {
    id: 'queue',
    header: words.queue,
    width: 166,
    align: 'right',
    cell: ({ queue, queueOf }) => (queue === null ? NOTHING : fr.queue(queue, queueOf)),
  },
  {
    id: 'lastError',
    header: words.lastError,
    width: 132,
    align: 'right',
    cell: ({ lastError }) =>
      lastError === null ? (
        NOTHING
      ) : (
        <span title={lastError.text}>
          <Ago at={lastError.at} />
        </span>
      ),
  },
  { id: 'version', header: words.version, width: 90, hidden: true, cell: service => service.version || NOTHING },
]

export const SERVICE_FILTERS: readonly TableFilter[] = [
  {
    name: 'state',
    label: fr.filters.state,
    choices: SERVICE_STATES.map(value => ({ value, label: fr.states[value] })),
  },
  { name: 'kind', label: fr.filters.kind, choices: SERVICE_KINDS.map(value => ({ value, label: fr.kinds[value] })) },
]
