import { hostRoutes } from '@narval/contracts'
import { type ApiClient, signIn } from '../e2e/kit/client.ts'
import { freePort, removeFolder, startServer, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { insideOf, quantile, timed } from './kit.ts'

/** A server of its own that can be looked into, with a client that has signed in; `end` takes it away with its folder. */
export const measuredServer = async () => {
  const folder = temporaryFolder()
  const inside = insideOf(folder)
  const server = await startServer(folder, await freePort(), {
    ...inside.env,
    NARVAL_LOCAL_PROBE: 'off',
    NARVAL_LOG: 'error',
    NARVAL_LOGIN_RATE: 'off',
  })
  const end = async (): Promise<void> => {
    await stopServer(server)
    removeFolder(folder)
  }
  return { server, inside, api: await signIn(server.url), end }
}

/** How long `work` takes, and how long at most a page of hosts that is asked again and again meanwhile. */
export const besides = async (api: ApiClient, work: () => Promise<unknown>) => {
  const waits: number[] = []
  let isDone = false
  const asking = (async () => {
    while (!isDone) waits.push(await timed(() => api.call(hostRoutes.datatable.get)))
  })()
  const ms = await timed(work)
  isDone = true
  await asking
  return { ms, longestMs: quantile(waits, 1) }
}
