import { notifications } from '@mantine/notifications'
import {
  type ActedObject,
  acknowledgementRoutes,
  type BulkReply,
  type DatatableInput,
  type IncidentBulkBody,
  type IncidentBulkReply,
} from '@narval/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { acting as words } from '../i18n/acting.ts'
import { call } from '../lib/api.ts'
import { refusedText } from './act-words.ts'
import { BULK_TIMEOUT_MS } from './bulk-actions.tsx'
import { LIST_KEY } from './live-rows.ts'
import { errorText } from './page.tsx'

/** What an action is about: ticked rows or all that a filter matches, of a list of these objects. */
export interface ActTargets {
  readonly of: ActedObject
  readonly target: { readonly ids: number[] } | { readonly filter: DatatableInput }
  /** « srv-1 : Ping », « 12 équipements ». */
  readonly what: string
}
/** What is sent: before the server's defaults. */
export interface IncidentChangeInput {
  readonly acknowledge?: {
    readonly comment: string
    readonly sticky: boolean
    readonly until?: string | null
    readonly owner?: string | null
  }
  readonly unacknowledge?: true
  readonly own?: { readonly owner: string | null }
}

export const changeIncidents = (
  { of, target }: ActTargets,
  change: IncidentChangeInput,
  plan: IncidentBulkBody['plan'],
): Promise<IncidentBulkReply> =>
  call(acknowledgementRoutes.bulk, { body: { of, ...target, change, plan }, timeoutMs: BULK_TIMEOUT_MS })

/** Does it, says in words what came of it, and has the lists asked again. */
export const useActing = () => {
  const client = useQueryClient()
  const settle = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: [LIST_KEY] })
    await client.invalidateQueries({ queryKey: ['incidents'] })
    await client.invalidateQueries({ queryKey: ['incident'] })
  }
  const say = ({ changed, unchanged, refused, refusals }: BulkReply, done: (count: number) => string): void => {
    const rest = [
      unchanged > 0 ? words.unchanged(unchanged) : '',
      refused > 0 ? refusedText(refused, refusals) : '',
      changed + unchanged + refused === 0 ? words.nothing : '',
    ].filter(Boolean)
    notifications.show({
      title: changed > 0 || rest.length === 0 ? done(changed) : words.noIncident,
      message: rest.join(' '),
      color: changed > 0 ? 'green' : 'gray',
    })
  }
  const fail = (error: unknown): void => {
    notifications.show({ title: words.failed, message: errorText(error), color: 'red' })
  }
  return {
    settle,
    say,
    async change(targets: ActTargets, change: IncidentChangeInput, done: (count: number) => string): Promise<void> {
      try {
        say(await changeIncidents(targets, change, false), done)
        await settle()
      } catch (error) {
        fail(error)
      }
    },
    async check({ of, target }: ActTargets): Promise<void> {
      try {
        const { scanners, probes } = await call(acknowledgementRoutes.check, { body: { of, ...target } })
        const title = words.checked(scanners)
        notifications.show({ title, message: words.checkedText(probes), color: 'blue' })
      } catch (error) {
        fail(error)
      }
    },
  }
}
