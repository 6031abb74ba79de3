import { type DashboardMain, hostRoutes } from '@narval/contracts'
import { totalCounts } from '@narval/engine'
import { useQuery } from '@tanstack/react-query'
import { call } from './api.ts'
import { useSession } from './session.ts'

/** Where an administrator is led to the first host. */
export const FIRST_RUN = '/host/first'
/** What an installation supervises by itself: its machine, and the gateway. */
const OWN_HOSTS = 2

/**
 * Whether nobody has added a host yet, for those who may: `empty`, or what the installation made by itself is there
 * (`own`). Null: there is one, this account adds none, or it is not known yet.
 */
export const useFirstRun = (main: DashboardMain | undefined): 'empty' | 'own' | null => {
  const adds = useSession().canEverywhere('host_write')
  const hosts = main === undefined ? null : totalCounts(main.hosts)
  const { data: isOwn } = useQuery({
    queryKey: ['first-run', 'hosts', hosts],
    queryFn: async ({ signal }) => {
      const { data } = await call(hostRoutes.datatable.put, { body: { length: OWN_HOSTS + 1 }, signal })
      return data.every(({ updatedBy }) => updatedBy === null)
    },
    enabled: adds && hosts !== null && hosts > 0 && hosts <= OWN_HOSTS,
  })
  if (!adds || hosts === null) return null
  if (hosts === 0) return 'empty'
  return isOwn === true ? 'own' : null
}
