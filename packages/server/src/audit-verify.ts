import { join } from 'node:path'
import { createFileAnchor } from './audit-anchor.ts'
import { readConfig } from './config.ts'
import { folderKey } from './data-folder.ts'
import type { ChainEnd } from './store/audit-chain.ts'
import { attachAuditKey } from './store/audit-seal.ts'
import { verifyAudit } from './store/audit-verify.ts'
import { readPostgres, readSqlite } from './store/database.ts'

const USAGE = `npm run audit:verify [-- numéro:sceau]

Vérifie tous les sceaux du journal, le serveur tournant ou non, sans rien écrire. « numéro:sceau », noté lors d’une
vérification d’avant et gardé ailleurs, prouve que rien jusque-là n’a changé depuis.
Sort avec 0 si tout est intact, 1 si une anomalie est trouvée, 2 si la vérification n’a pu se faire.`

/** What an earlier verification has said. */
const expectedOf = (text: string | undefined): ChainEnd | null => {
  if (text === undefined) return null
  const [, position, seal] = /^(\d{1,15}):([A-Za-z0-9_-]{43})$/.exec(text) ?? []
  if (position === undefined || seal === undefined) throw new Error(USAGE)
  return { position: Number(position), seal }
}

/** Verifies the chain of the log beside the server; see `USAGE`. @returns the exit code. */
const verify = async (given: string | undefined): Promise<number> => {
  const expected = expectedOf(given)
  const config = readConfig(process.env)
  const key = folderKey(config.dataFolder, 'audit')
  const database =
    config.databaseUrl === null ? readSqlite(join(config.dataFolder, 'narval.db')) : readPostgres(config.databaseUrl)
  try {
    attachAuditKey(database.db, key)
    const anchor = createFileAnchor(config.dataFolder)
    const found = await verifyAudit(database.db, { anchor, nowMs: Date.now(), expected })
    const number = new Intl.NumberFormat('fr-FR')
    const lines = [
      found.from === null
        ? 'Le journal ne contient aucune entrée scellée.'
        : `${number.format(found.checked)} entrées vérifiées, n° ${found.from} à ${found.to}.`,
    ]
    if (found.older > 0)
      lines.push(
        `${number.format(found.older)} ont été écrites avant que le journal soit scellé\u202f: rien ne dit si elles avaient été modifiées avant.`,
      )
    for (const { text } of found.faults) lines.push(`ANOMALIE\u202f: ${text}`)
    if (found.faultCount > found.faults.length)
      lines.push(`… et ${number.format(found.faultCount - found.faults.length)} autres anomalies.`)
    if (found.ok) lines.push('Le journal est intact.')
    if (found.seal !== null) lines.push(`Sceau à garder ailleurs\u202f: ${found.to}:${found.seal}`)
    console.log(lines.join('\n'))
    return found.ok ? 0 : 1
  } finally {
    await database.close()
  }
}

verify(process.argv[2])
  .then(code => process.exit(code))
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  })
