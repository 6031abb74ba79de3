import { notifications } from '@mantine/notifications'
import { GLOBAL_STREAM, type Probe, probeRoutes } from '@narval/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { LIST_KEY, useLiveRows } from '../../ui/live-rows.ts'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'

export const PROBE_LIST = 'probe'
export const PENDING_KEY = ['probe', 'pending'] as const

/** Asks the list again when the hub says that a probe changed. */
export const useLiveProbes = (): void => {
  const client = useQueryClient()
  const rows = useLiveRows<Probe>(PROBE_LIST)
  const refetch = (): void => {
    rows.refetch()
    void client.invalidateQueries({ queryKey: PENDING_KEY })
  }
  useHubEvent('service', GLOBAL_STREAM, ({ probes }) => {
    if (probes !== undefined && probes.length > 0) refetch()
  })
  useHubJoined('service', refetch)
}

/** Approves or revokes; the lists follow, a refusal is said. */
export const useProbeAction = (action: 'approve' | 'revoke', onDone?: (probe: Probe) => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(probeRoutes[action], { params: { id } }),
    onSuccess: probe => {
      notifications.show({
        color: 'green',
        message: action === 'approve' ? fr.approved(probe.name) : fr.revoked(probe.name),
      })
      void client.invalidateQueries({ queryKey: [LIST_KEY, PROBE_LIST] })
      void client.invalidateQueries({ queryKey: PENDING_KEY })
      onDone?.(probe)
    },
    onError: error => notifications.show({ color: 'red', title: fr.refused, message: errorText(error) }),
  })
}
