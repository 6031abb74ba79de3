import { HostGridView } from './host-grid-view.tsx'
import { HostStatusList } from './host-status-list.tsx'
import { useChoice } from './status-filters.tsx'

/** dashboard/host-status: every host at a glance, or line by line. */
export const HostStatusPage = () => {
  const [mode] = useChoice('mode')
  return mode === 'list' ? <HostStatusList /> : <HostGridView />
}
