import { accountRoutes, CSRF_COOKIE, CSRF_HEADER, type ImportEntity, importRoutes } from '@narval/contracts'
import { type ApiClient, signIn } from '../e2e/kit/client.ts'
import {
  freePort,
  type RunningServer,
  removeFolder,
  startServer,
  stopServer,
  temporaryFolder,
} from '../e2e/kit/server.ts'
import { insideOf, say, timed } from './kit.ts'

/** A CSV file of 1,000 and of 10,000 hosts: read, checked, imported, imported again, changed; the event loop meanwhile. */
const SIZES = [1_000, 10_000]
const SITES = 40

const csvOf = (header: string, rows: readonly string[]): string => `${header}\r\n${rows.join('\r\n')}\r\n`
const sitesFile = csvOf(
  'Code;Nom;Ville',
  Array.from({ length: SITES }, (_, site) => `BENCH-${site};Site de mesure ${site};Rennes`),
)
const hostsFile = (count: number, description: string): string =>
  csvOf(
    'Nom;Adresse;Site;Type;Fabricant;Modèle;Étiquettes;Supervision active;Description',
    Array.from(
      { length: count },
      (_, host) =>
        `mesure-${host};10.${host >> 16}.${(host >> 8) & 255}.${host & 255};BENCH-${host % SITES};Mesure;Narval;M${host % 20};"a, b";oui;${description}`,
    ),
  )

/** The file as it is, which the JSON client can not send. */
const upload = async (server: RunningServer, api: ApiClient, entity: ImportEntity, content: string) => {
  const authorization = `Bearer ${api.token()}`
  const offered = await fetch(`${server.url}${accountRoutes.ownClaims.path}`, { headers: { authorization } })
  const cookie = offered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const answer = await fetch(`${server.url}${importRoutes.file.path}?entity=${entity}`, {
    method: 'POST',
    headers: { authorization, cookie, [CSRF_HEADER]: cookie.slice(CSRF_COOKIE.length + 1), 'content-type': 'text/csv' },
    body: content,
  })
  const file = importRoutes.file.reply.parse(await answer.json())
  const mapping = Object.fromEntries(
    file.columns.flatMap(({ field }, column) => (field === null ? [] : [[String(column), field]])),
  )
  return { params: { id: String(file.id) }, body: { mapping, mode: 'upsert' as const, createTypes: true } }
}

const run = async (api: ApiClient, input: Awaited<ReturnType<typeof upload>>) => {
  await api.call(importRoutes.run, input)
  for (;;) {
    const state = await api.call(importRoutes.get, { params: input.params })
    if (state.state === 'done') return state
    if (state.state === 'failed') throw new Error(state.message)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

for (const size of SIZES) {
  const folder = temporaryFolder()
  const inside = insideOf(folder)
  const server = await startServer(folder, await freePort(), {
    ...inside.env,
    NARVAL_LOCAL_PROBE: 'off',
    NARVAL_LOG: 'error',
    NARVAL_LOGIN_RATE: 'off',
  })
  const api = await signIn(server.url)
  const step = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    await inside.look(server)
    const ms = await timed(work)
    const { max, p99, rssMb } = await inside.look(server)
    say(
      `  ${what}`,
      `${(ms / 1_000).toFixed(2)} s`,
      `event loop p99 ${p99.toFixed(0)} ms, max ${max.toFixed(0)} ms; ${rssMb.toFixed(0)} MiB`,
    )
  }
  console.log(`${size} hosts`)
  await run(api, await upload(server, api, 'site', sitesFile))
  const first = hostsFile(size, 'première')
  let input = await upload(server, api, 'host', first)
  await step('upload and reading', async () => {
    input = await upload(server, api, 'host', first)
  })
  await step('check', () => api.call(importRoutes.check, input))
  await step('import: hosts, pings, metrics', () => run(api, input))
  await step('the same again: nothing changes', async () => run(api, await upload(server, api, 'host', first)))
  await step('one column of each changes', async () =>
    run(api, await upload(server, api, 'host', hostsFile(size, 'seconde'))),
  )
  await stopServer(server)
  removeFolder(folder)
}
