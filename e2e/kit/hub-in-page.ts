import { HUBS } from '@narval/contracts'
import type { Page } from 'playwright-core'

/** Lets the test say on the hub of alerts what no server would; all else passes between the two. */
export const interceptAlerts = async (page: Page): Promise<(alert: unknown) => void> => {
  let send: (text: string) => void = () => undefined
  await page.routeWebSocket(
    url => url.pathname === HUBS.communication.path,
    socket => {
      const far = socket.connectToServer()
      far.onMessage(message => socket.send(message))
      send = text => socket.send(text)
    },
  )
  return alert => send(`${JSON.stringify({ type: 1, target: HUBS.communication.event, arguments: [alert] })}\u001e`)
}
