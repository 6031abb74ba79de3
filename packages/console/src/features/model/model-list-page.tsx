import { Button } from '@mantine/core'
import { GLOBAL_STREAM, type MonitoringModel, monitoringModelRoutes } from '@narval/contracts'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { useSession } from '../../lib/session.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableColumn } from '../../ui/data-table-types.ts'
import { useLiveRows } from '../../ui/live-rows.ts'
import { PageHeader } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { MODEL_LIST } from './model-queries.ts'

const { columns: words } = fr

const columns: readonly TableColumn<MonitoringModel>[] = [
  { id: 'name', header: words.name, grow: 1.4, card: 'title', cell: model => <strong>{model.name}</strong> },
  { id: 'description', header: words.description, grow: 3, cell: model => model.description },
  {
    id: 'scanners',
    header: words.scanners,
    grow: 1.2,
    sortable: false,
    cell: model => model.definition.scanners.map(scanner => scanner.name).join(', '),
  },
  {
    id: 'hosts',
    header: words.hosts,
    width: 128,
    align: 'right',
    card: 'corner',
    cell: model => formatNumber(model.hosts, 0),
  },
  { id: 'updatedAt', header: words.updated, width: 126, align: 'right', cell: model => <Ago at={model.updatedAt} /> },
]
const LOOK: RowLook<MonitoringModel> = {
  key: model => model.id,
  name: model => model.name,
  href: model => `/host/model/${model.id}`,
}
const BY_NAME = { column: 'name', dir: 'asc' } as const
const ALSO_SEARCHED = ['description']

const AddModel = () => (
  <Button component={Link} to="/host/model/new" leftSection={<IconPlus size={16} />}>
    {fr.add}
  </Button>
)

/** /host/model: every monitoring model, with what it brings and to how many. */
export const ModelListPage = () => {
  const writes = useSession().canEverywhere('host_write')
  const rows = useLiveRows<MonitoringModel>(MODEL_LIST)
  useHubEvent('host', GLOBAL_STREAM, ({ entities = [], models = [] }) => {
    if (entities.length + models.length > 0) rows.refetch()
  })
  useHubJoined('host', rows.refetch)
  return (
    <>
      {writes && <PageHeader actions={<AddModel />} />}
      <DataTable<MonitoringModel>
        list={MODEL_LIST}
        fetchPage={(body, signal) => call(monitoringModelRoutes.datatable.put, { body, signal })}
        columns={columns}
        defaultSort={BY_NAME}
        alsoSearched={ALSO_SEARCHED}
        look={LOOK}
        noun={fr.model}
        searchLabel={fr.search}
        empty={{
          title: fr.emptyTitle,
          text: writes ? fr.emptyText : fr.emptyTextReader,
          action: writes && <AddModel />,
        }}
        hub="host"
      />
    </>
  )
}
