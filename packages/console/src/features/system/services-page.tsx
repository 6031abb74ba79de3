import { Button } from '@mantine/core'
import { grants, type Service, serviceRoutes } from '@narval/contracts'
import { IconAdjustments, IconDeviceTv, IconSend } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { changedParams, idOf } from '../../lib/address.ts'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook } from '../../ui/data-table-types.ts'
import { PageHeader } from '../../ui/page.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { fr } from './fr.ts'
import { SERVICE_COLUMNS, SERVICE_FILTERS } from './service-columns.tsx'
import { ServiceDrawer } from './service-drawer.tsx'
import { FIGURES_MS, SERVICE_LIST, useLiveServices } from './service-queries.ts'
import { SERVICE_SEVERITY } from './service-state.tsx'
import { StorageCards } from './storage-card.tsx'

const EMPTY = { title: fr.emptyTitle, text: fr.emptyText }

/** /system: every part of the server and every probe, alive; what the data take; and what is set up beside them. */
export const ServicesPage = () => {
  useLiveServices()
  const { params, put } = useAddress()
  const look = useMemo<RowLook<Service>>(
    () => ({
      key: service => service.id,
      name: service => service.name,
      href: service => `?${changedParams(params, { service: String(service.id) })}`,
      edge: service => SERVICE_SEVERITY[service.state],
      muted: service => service.state === 'off',
    }),
    [params],
  )
  return (
    <>
      <Ways />
      <DataTable<Service>
        list={SERVICE_LIST}
        fetchPage={(body, signal) => call(serviceRoutes.datatable.put, { body, signal })}
        columns={SERVICE_COLUMNS}
        filters={SERVICE_FILTERS}
        defaultSort={null}
        look={look}
        noun={fr.noun}
        searchLabel={fr.search}
        empty={EMPTY}
        hub="service"
        refreshMs={FIGURES_MS}
      />
      <StorageCards />
      <ServiceDrawer id={idOf(params.get('service'))} onClose={() => put({ service: null })} />
    </>
  )
}

/** What is set up beside the services, for those who may. */
const Ways = () => {
  const claims = (useSession().user?.claims ?? []).map(({ claim }) => claim)
  const [notifies, sets] = [grants(claims, 'notification_write'), grants(claims, 'parameter_write')]
  const ways = [
    { to: '/system/notification', label: fr.links.notifications, Icon: IconSend, isShown: notifies },
    { to: '/system/display', label: fr.links.display, Icon: IconDeviceTv, isShown: sets },
    { to: '/system/parameter', label: fr.links.parameters, Icon: IconAdjustments, isShown: sets },
  ].filter(({ isShown }) => isShown)
  if (ways.length === 0) return null
  return (
    <PageHeader
      actions={ways.map(({ to, label, Icon }) => (
        <Button key={to} component={Link} variant="default" to={to} leftSection={<Icon size={16} />}>
          {label}
        </Button>
      ))}
    />
  )
}
