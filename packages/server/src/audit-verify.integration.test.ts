import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileAnchor } from './audit-anchor.ts'
import { openDataFolder } from './data-folder.ts'
import { audit } from './store/audit.ts'
import { createAuditChain } from './store/audit-chain.ts'
import { attachAuditKey } from './store/audit-seal.ts'
import { type Database, openSqlite } from './store/database.ts'

const COMMAND = fileURLToPath(new URL('./audit-verify.ts', import.meta.url))

describe('npm run audit:verify', () => {
  const data = mkdtempSync(join(tmpdir(), 'narval-audit-'))
  const folder = openDataFolder(data)
  const anchor = createFileAnchor(data)
  let database: Database
  let seal: () => Promise<void>
  beforeAll(async () => {
    database = await openSqlite(join(data, 'narval.db'))
    attachAuditKey(database.db, folder.key('audit'))
    const ignore = () => undefined
    ;({ seal } = createAuditChain({ database, anchor, now: Date.now, onGrown: ignore, onError: ignore }))
    for (let n = 1; n <= 3; n += 1)
      await audit(database.db, { action: 'login', outcome: 'success', actor: 'claire', object: `session ${n}` }, n)
    await seal()
  })
  afterAll(async () => {
    await database.close()
    folder.release()
    rmSync(data, { recursive: true, force: true })
  })
  const run = (given: readonly string[] = [], NARVAL_DATA = data) => {
    const env = { PATH: process.env.PATH, NARVAL_DATA }
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...given], { env, encoding: 'utf8' })
    return { status, text: stdout + stderr }
  }

  it('says beside a running server that the log is whole, with its last seal, and compares one that was kept: 0', () => {
    const { status, text } = run()
    expect([status, text]).toEqual([
      0,
      expect.stringContaining('3 entrées vérifiées, n° 1 à 3.\nLe journal est intact.'),
    ])
    const kept = text.trim().split(' ').at(-1) ?? ''
    expect(kept).toBe(`3:${anchor.read()?.seal}`)
    expect(run([kept]).status).toBe(0)
    expect(run([kept.replace(/.$/, last => (last === 'A' ? 'B' : 'A'))])).toMatchObject({
      status: 1,
      text: expect.stringContaining('ANOMALIE'),
    })
  })

  it('names what was cut at the end, though the database says nothing of it: 1; and what it can not verify: 2', async () => {
    await database.db.deleteFrom('audit').where('position', '=', 3).execute()
    const cut = run()
    expect([cut.status, cut.text]).toEqual([1, expect.stringContaining('La fin du journal a été coupée')])
    const nowhere = run([], join(data, 'ailleurs'))
    expect([nowhere.status, nowhere.text]).toEqual([2, expect.stringContaining('ailleurs')])
  })
})
