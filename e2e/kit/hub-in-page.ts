import { type AlertMessage, HUBS } from '@narval/contracts'
import type { Page } from 'playwright-core'

const { path, event } = HUBS.communication
/** How a completion, here that of the join, begins on the wire. */
const COMPLETION = '{"type":3'

/**
 * Lets the test say on the hub of alerts what no server would; all else passes between the two. Alerts wait until the
 * page has joined; several come as one message.
 */
export const interceptAlerts = async (page: Page): Promise<(...alerts: AlertMessage[]) => Promise<void>> => {
  let heard = false
  let joined = Promise.withResolvers<(text: string) => void>()
  // Those who wait for a page that has not joined yet go on waiting.
  const awaitJoin = (): void => {
    if (heard) joined = Promise.withResolvers()
    heard = false
  }
  // Another page, which joins when it is ready: the connection of the one before is heard by nobody.
  page.on('domcontentloaded', awaitJoin)
  await page.routeWebSocket(
    url => url.pathname === path,
    socket => {
      awaitJoin()
      const far = socket.connectToServer()
      far.onMessage(message => {
        socket.send(message)
        if (!message.includes(COMPLETION)) return
        heard = true
        joined.resolve(text => socket.send(text))
      })
    },
  )
  return async (...alerts) => {
    const send = await joined.promise
    send(alerts.map(alert => `${JSON.stringify({ type: 1, target: event, arguments: [alert] })}\u001e`).join(''))
  }
}
