import { type Host, type HostInput, hostRoutes, scannerRoutes } from '@narval/contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

export const HOST_LIST = 'host'

/** Scanners of a host; needs the claim `scanner_read`. */
export const hostScannersQuery = (id: number) =>
  queryOptions({
    queryKey: ['host-scanners', id],
    queryFn: ({ signal }) => call(scannerRoutes.list, { query: { host: String(id) }, signal }),
  })

/** Creates, with a ping scanner when asked; or changes the version of `basedOn`. */
export const saveHost = (
  id: number | null,
  { withPing, ...input }: HostInput & { withPing: boolean },
  basedOn: string | null,
): Promise<Host> =>
  id === null || basedOn === null
    ? call(hostRoutes.create, { body: { ...input, withPing } })
    : call(hostRoutes.update, { params: { id }, body: { ...input, updatedAt: basedOn } })
