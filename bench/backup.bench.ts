import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, removeFolder, startServer, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { openChunkFiles } from '../packages/server/src/samples/chunk-files.ts'
import { chunkId, DAY_MS, dayStart, WHOLE_DAY } from '../packages/server/src/samples/periods.ts'
import { openSqlite } from '../packages/server/src/store/database.ts'
import { say, timed } from './kit.ts'
import { besides, measuredServer } from './kit-server.ts'

/**
 * How long a backup and a restore take with how much there is, what a running server lets others wait meanwhile, and how
 * long until it serves what was restored: R30 allows 5 min for 1 GB. Nine tenths are measures, one tenth the database.
 */
const SIZES_MB = [100, 300, 1_000]
const commandOf = (name: string): string =>
  fileURLToPath(new URL(`../packages/server/src/backup/${name}-command.ts`, import.meta.url))

const run = (name: string, data: string, ...args: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, NARVAL_DATA: data }
    const child = spawn(process.execPath, [commandOf(name), ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('exit', code => (code === 0 ? resolve() : reject(new Error(`${name}: ${code}`))))
  })

/** Series that no metric has: nobody reads what is in their chunks. */
const UNKNOWN = 1_000_000

/** Days of chunks that do not compress, and audit lines, as many bytes as asked. */
const fill = async (data: string, mb: number): Promise<void> => {
  const files = openChunkFiles(join(data, 'samples'))
  const body = randomBytes(2_000)
  const today = dayStart(Date.now())
  const days = 30
  const perDay = Math.round((mb * 900_000) / days / 2_100)
  for (let day = 1; day <= days; day++) {
    const dayMs = today - day * DAY_MS
    const file = files.ensure('raw', dayMs)
    file.begin()
    for (let series = 1; series <= perDay; series++) file.put(chunkId('raw', dayMs, WHOLE_DAY, UNKNOWN + series), body)
    file.commit()
    file.checkpoint()
  }
  files.close()
  const database = await openSqlite(join(data, 'narval.db'))
  const detail = JSON.stringify({ texte: 'x'.repeat(700) })
  const line = { at: Date.now(), actor: 'bench', address: '', action: 'login', object: '', outcome: 'success', detail }
  const lines = Array.from({ length: 500 }, () => line)
  for (let written = 0; written < mb * 100_000; written += lines.length * 1_000)
    await database.db.insertInto('audit').values(lines).execute()
  await database.close()
}

for (const mb of SIZES_MB) {
  const { server, inside, api, end } = await measuredServer()
  await stopServer(server)
  await fill(server.folder, mb)
  const again = await startServer(
    server.folder,
    server.port,
    { ...inside.env, NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'error' },
    120_000,
  )
  const backups = temporaryFolder()
  await inside.look(again)
  const quiet = await besides(api, () => new Promise(resolve => setTimeout(resolve, 5_000)))
  const before = await inside.look(again)
  const { ms, longestMs } = await besides(api, () => run('backup', server.folder, backups))
  const looked = await inside.look(again)
  await stopServer(again)
  const [name = ''] = readdirSync(backups)
  const target = join(temporaryFolder(), 'data')
  const restoreMs = await timed(() => run('restore', target, join(backups, name)))
  const port = await freePort()
  let restored = again
  const startMs = await timed(async () => {
    restored = await startServer(target, port, { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'error' }, 120_000)
  })
  await stopServer(restored)
  say(
    `${mb} MB: online backup, verified`,
    `${Math.round(ms)} ms`,
    `a page of hosts waits ${Math.round(longestMs)} ms at most`,
  )
  say('  event loop meanwhile, p99 / longest', `${looked.p99.toFixed(1)} / ${Math.round(looked.max)} ms`)
  say(
    '  without a backup, p99 / longest',
    `${before.p99.toFixed(1)} / ${Math.round(before.max)} ms`,
    `a page waits ${Math.round(quiet.longestMs)} ms at most`,
  )
  say('  restore, verified', `${Math.round(restoreMs)} ms`)
  say('  start until ready', `${Math.round(startMs)} ms`)
  say('  RTO (restore and start)', `${((restoreMs + startMs) / 1_000).toFixed(1)} s`, 'R30: 300 s for 1,000 MB')
  removeFolder(backups)
  removeFolder(join(target, '..'))
  await end()
}
