import type { Settings } from '@narval/contracts'
import type { Logger } from 'pino'
import { type Changes, DELIVERED } from './changes.ts'
import { warnOfChannel } from './channel-notice.ts'
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type DeliveryWorkerDeps,
} from './features/delivery/delivery-worker.ts'
import { type ChannelSend, createChannelSend } from './features/notification-channel/channel-send.ts'
import { chartMetric, createCharts } from './features/notification-channel/chart-picture.ts'
import type { Hubs } from './hub/hubs.ts'
import type { Monitoring } from './monitoring/monitoring.ts'
import { createNotifier, type Notifier } from './monitoring/notifier/notifier.ts'
import type { SampleStore } from './samples/sample-store.ts'
import type { SecretBox } from './secret-box.ts'
import type { Database } from './store/database.ts'

export interface TellingDeps {
  readonly database: Database
  readonly samples: SampleStore
  readonly monitoring: Monitoring
  readonly changes: Changes
  readonly hubs: Hubs
  readonly secrets: SecretBox
  readonly settings: () => Settings
  readonly now: () => number
  readonly log: Logger
  /** Where deliveries write what fails. */
  readonly deliveryLog: Logger
  /** Where people reach the console when a proxy stands in front; null: where the settings say. */
  readonly publicUrl: string | null
  readonly mayTell: () => boolean
  readonly delivering: Pick<DeliveryWorkerDeps, 'pollMs' | 'random' | 'onSent'> | undefined
}

export interface Telling {
  readonly send: ChannelSend
  readonly deliveries: DeliveryWorker
  readonly notifier: Notifier
}

/** What rules name: changed, they are read again. */
const NOTIFIED_ENTITIES = new Set(['notification-rule', 'site', 'account', 'setting'])

/** Who is told of incidents: the notifier queues, the worker delivers what is queued, each by its channel. */
export const createTelling = (deps: TellingDeps): Telling => {
  const { database, monitoring, changes, hubs, settings, now, log, mayTell } = deps
  const send = createChannelSend({
    charts: createCharts(id => chartMetric(monitoring.model.metrics.get(id)), deps.samples),
    now,
    base: () => (deps.publicUrl ?? settings().consoleUrl).replace(/\/+$/, '') || null,
    product: () => settings().productName,
  })
  const deliveries = createDeliveryWorker({
    ...{ database, now, secrets: deps.secrets, send, log: deps.deliveryLog, mayTell },
    onTrouble: channel => warnOfChannel({ database, hubs, now }, channel),
    onSettled: () => changes.emit(DELIVERED),
    ...deps.delivering,
  })
  const { maintenances } = monitoring
  const notifier = createNotifier({
    ...{ database, now, log, model: monitoring.model, chains: monitoring.chains, settings, mayTell },
    inMaintenance: (metric, host) =>
      metric === null ? host !== null && maintenances.ofHost(host) !== null : maintenances.ofMetric(metric) !== null,
    onQueued() {
      deliveries.wake()
      changes.emit(DELIVERED)
    },
  })
  changes.on(({ entity }) => {
    if (NOTIFIED_ENTITIES.has(entity)) notifier.forget()
  })
  return { send, deliveries, notifier }
}
