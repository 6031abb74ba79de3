import { importRoutes } from '@narval/contracts'
import { say, timed } from './kit.ts'
import { csvOf, runImport, upload } from './kit-import.ts'
import { measuredServer } from './kit-server.ts'

/** A CSV file of 1,000 and of 10,000 hosts: read, checked, imported, imported again, changed; the event loop meanwhile. */
const SIZES = [1_000, 10_000]
const SITES = 40

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

for (const size of SIZES) {
  const { server, inside, api, end } = await measuredServer()
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
  await runImport(api, await upload(server, api, 'site', sitesFile))
  const first = hostsFile(size, 'première')
  let input = await upload(server, api, 'host', first)
  await step('upload and reading', async () => {
    input = await upload(server, api, 'host', first)
  })
  await step('check', () => api.call(importRoutes.check, input))
  await step('import: hosts, pings, metrics', () => runImport(api, input))
  await step('the same again: nothing changes', async () => runImport(api, await upload(server, api, 'host', first)))
  await step('one column of each changes', async () =>
    runImport(api, await upload(server, api, 'host', hostsFile(size, 'seconde'))),
  )
  await end()
}
