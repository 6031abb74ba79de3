import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { type AlertMessage, GLOBAL_STREAM, HUBS } from '@narval/contracts'

export interface AlertListener {
  readonly connection: HubConnection
  readonly alerts: AlertMessage[]
  /** Called at each alert, after it was kept. */
  onAlert(listener: (alert: AlertMessage) => void): void
  stop(): Promise<void>
}

/**
 * The official client, unchanged, on the global stream of alerts. Comes back by itself, ten times a second for five
 * minutes, and joins again.
 */
export const listenToAlerts = async (url: string, token: () => string): Promise<AlertListener> => {
  const { path, event, join } = HUBS.communication
  const connection = new HubConnectionBuilder()
    .withUrl(`${url}${path}`, { accessTokenFactory: token })
    .withAutomaticReconnect(Array.from({ length: 3_000 }, () => 100))
    .configureLogging(LogLevel.None)
    .build()
  const alerts: AlertMessage[] = []
  let listener: (alert: AlertMessage) => void = () => undefined
  connection.on(event, (alert: AlertMessage) => {
    alerts.push(alert)
    listener(alert)
  })
  await connection.start()
  await connection.invoke(join, GLOBAL_STREAM)
  return {
    connection,
    alerts,
    onAlert(next) {
      listener = next
    },
    stop: () => connection.stop(),
  }
}
