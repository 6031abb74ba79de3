import type { CheckParameters } from '@narval/contracts'
import { openMysql } from '../services/mysql.ts'
import { openPostgres } from '../services/postgresql.ts'
import { runService, type ServiceRun } from '../services/service-run.ts'
import type { SqlRow, SqlSession } from '../services/sql-session.ts'
import { checkRunner } from './check.ts'
import { credentialIn } from './check-credential.ts'

type Parameters = CheckParameters<'sql'>

/** Rows that are counted, and shown to who tests. */
const ROWS_MAX = 10_000
const ROWS_SHOWN = 20

/** A database: signing in, and one statement that reads, whose first value is the measure. */
export const sql = checkRunner('sql', (check, parameters, context) =>
  runService(check, parameters.port, context, async run => {
    const login = credentialIn(check, 'sql')
    if ('code' in login) throw run.fail(login.code, login.message)
    run.hide(login.password)
    const { username, password } = login
    const { database, dialect, verifyTls } = parameters
    const socket = await run.connect()
    const open = dialect === 'postgresql' ? openPostgres : openMysql
    const tls = parameters.security === 'tls'
    const session = await open({ run, socket, username, password, database, tls, verifyTls })
    run.mark('login_time')
    if (parameters.query.trim() !== '') await ask(run, session, parameters)
    session.end()
  }),
)

const ask = async (run: ServiceRun, session: SqlSession, { query, expected }: Parameters): Promise<void> => {
  let rows = 0
  const shown: SqlRow[] = []
  const columns = await session.read(query.trim().replace(/;\s*$/u, ''), run.leftMs(), row => {
    rows += 1
    if (rows <= ROWS_SHOWN) shown.push(row)
  })
  run.mark('query_time')
  if (rows > ROWS_MAX) throw run.fail('mismatch', words.tooManyRows)
  run.values.rows = rows
  const cell = shown[0]?.[0] ?? null
  const value = numberIn(cell)
  if (value !== null) run.values.value = value
  run.show(words.result, tableText(run, columns, shown, rows))
  if (expected === '') return
  if (rows === 0) throw run.fail('mismatch', words.noRow)
  if (cell !== expected)
    throw run.fail('mismatch', words.unexpected(cell === null ? 'NULL' : run.spoken(cell), expected))
}

/** The number that a value is; yes and no are 1 and 0. */
const numberIn = (cell: string | null): number | null => {
  const text = cell?.trim() ?? ''
  if (/^(?:t|true)$/iu.test(text)) return 1
  if (/^(?:f|false)$/iu.test(text)) return 0
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu.test(text)) return null
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

const tableText = (run: ServiceRun, columns: readonly string[], rows: readonly SqlRow[], count: number): string => {
  const lines = [columns, ...rows].map(row => row.map(cell => (cell === null ? 'NULL' : run.spoken(cell))).join(' | '))
  return [...lines, words.count(count)].join('\n')
}

const words = {
  result: 'Résultat de la requête',
  count: (rows: number) => `${rows} ${rows > 1 ? 'lignes' : 'ligne'}`,
  tooManyRows: `la requête rend plus de ${ROWS_MAX} lignes : bornez-la (LIMIT)`,
  noRow: 'la requête ne rend aucune ligne',
  unexpected: (found: string, expected: string) => `valeur « ${found} », attendue « ${expected} »`,
} as const
