import { type Connection, createConnection } from 'mysql2'
import { errorCode } from '../failure.ts'
import { createDriverStream } from './driver-stream.ts'
import { ServiceFault, type ServiceRun } from './service-run.ts'
import { type SqlPlan, type SqlRow, type SqlSession, sqlWords } from './sql-session.ts'

/** Opens a session of MySQL or MariaDB over our own connection; TLS is ours too, begun where the driver would begin its own. */
export const openMysql = async (plan: SqlPlan): Promise<SqlSession> => {
  const { run } = plan
  run.stage(sqlWords.stages.login)
  const driver = createDriverStream(run, plan.socket, sqlWords.noMysql)
  const connection = createConnection({
    user: plan.username,
    password: plan.password,
    ...(plan.database === '' ? {} : { database: plan.database }),
    stream: driver.stream,
    ...(plan.tls ? { ssl: {} } : {}),
    connectTimeout: 0,
    enableKeepAlive: false,
    // Parsers made of the server's answers by `eval` are not.
    disableEval: true,
    multipleStatements: false,
    enableCleartextPlugin: plan.tls,
    // A server could ask for files of the probe.
    flags: ['-LOCAL_FILES'],
    rowsAsArray: true,
    typeCast: field => field.string(),
  })
  connection.on('error', () => undefined)
  // Packets out of order; the driver would go on, and write a line of its own for each.
  connection.on('warn', () => {
    throw run.fail('protocol', sqlWords.noMysql)
  })
  let tlsTrouble: unknown = null
  const startTLS = (done: (error?: unknown) => void): void => {
    driver
      .move(socket => run.secure(socket, plan.verifyTls))
      .then(
        () => {
          run.stage(sqlWords.stages.login)
          done()
        },
        error => {
          tlsTrouble = error
          done(new Error('TLS'))
        },
      )
  }
  Object.assign(connection, { startTLS })
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await driver.during(work)
    } catch (error) {
      if (tlsTrouble !== null) throw tlsTrouble
      throw error instanceof ServiceFault ? error : faultOf(run, error, plan.database)
    }
  }
  await told(connected(connection))
  return {
    read: async (query, timeoutMs, onRow) => {
      run.stage(sqlWords.stages.query)
      await told(execute(connection, 'SET SESSION TRANSACTION READ ONLY'))
      await told(limitTime(connection, timeoutMs))
      await told(execute(connection, 'START TRANSACTION READ ONLY'))
      const columns = await told(readRows(connection, query, onRow))
      await told(execute(connection, 'ROLLBACK'))
      return columns
    },
    end: () => connection.end(() => undefined),
  }
}

const connected = (connection: Connection): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.connect(error => (error === null ? resolve() : reject(error)))
  })

const execute = (connection: Connection, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.query(text, error => (error === null ? resolve() : reject(error)))
  })

/** MySQL counts in milliseconds, MariaDB in seconds by another name. */
const limitTime = async (connection: Connection, timeoutMs: number): Promise<void> => {
  const ms = Math.max(1, Math.floor(timeoutMs))
  try {
    await execute(connection, `SET SESSION max_execution_time = ${ms}`)
  } catch (error) {
    if (errorCode(error) !== 'ER_UNKNOWN_SYSTEM_VARIABLE') throw error
    await execute(connection, `SET SESSION max_statement_time = ${ms / 1_000}`)
  }
}

const readRows = (connection: Connection, text: string, onRow: (row: SqlRow) => void): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    let columns: readonly string[] = []
    const query = connection.query(text)
    query.on('fields', (fields: readonly { readonly name: string }[] | undefined) => {
      columns = fields?.map(field => field.name) ?? []
    })
    query.on('result', (row: unknown) => {
      if (Array.isArray(row)) onRow(row.map(cell => (cell === null ? null : String(cell))))
    })
    query.on('error', reject)
    query.on('end', () => resolve(columns))
  })

const LOGIN: ReadonlySet<string> = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
  'ER_HOST_NOT_PRIVILEGED',
  'ER_ACCOUNT_HAS_BEEN_LOCKED',
  'ER_MUST_CHANGE_PASSWORD_LOGIN',
  'ER_NOT_SUPPORTED_AUTH_MODE',
])
const DATABASE: ReadonlySet<string> = new Set(['ER_BAD_DB_ERROR', 'ER_DBACCESS_DENIED_ERROR'])
const BUSY: ReadonlySet<string> = new Set([
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_HOST_IS_BLOCKED',
  'ER_SERVER_SHUTDOWN',
])
const SLOW: ReadonlySet<string> = new Set(['ER_QUERY_TIMEOUT', 'ER_STATEMENT_TIMEOUT', 'ER_QUERY_INTERRUPTED'])
const WRITES: ReadonlySet<string> = new Set(['ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION'])

/** Errors that servers number and the driver does not name; those of the system are below zero. */
const FIRST_ERROR = 1_000
const MARIADB_TIMEOUT = 1_969

const faultOf = (run: ServiceRun, error: unknown, database: string): ServiceFault => {
  const code = errorCode(error)
  const said = error instanceof Error ? run.spoken(error.message) : ''
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return run.fail('tls', sqlWords.noTls)
  if (code === 'MYSQL_CLEAR_PASSWORD_NOT_ENABLED') return run.fail('credentials', sqlWords.clear)
  if (/unknown plugin/u.test(said)) return run.fail('credentials', sqlWords.login(said))
  if (LOGIN.has(code)) return run.fail('credentials', sqlWords.credentials(said))
  if (code.startsWith('AUTH_SWITCH')) return run.fail('credentials', sqlWords.login(said))
  if (DATABASE.has(code)) return run.fail('mismatch', sqlWords.noDatabase(database, said))
  if (BUSY.has(code)) return run.fail('mismatch', sqlWords.busy(said))
  if (SLOW.has(code)) return run.fail('timeout', sqlWords.tooSlow)
  if (WRITES.has(code)) return run.fail('mismatch', sqlWords.writes(said))
  const number = error instanceof Error && 'errno' in error ? error.errno : null
  if (number === MARIADB_TIMEOUT) return run.fail('timeout', sqlWords.tooSlow)
  if (code.startsWith('ER_') || (typeof number === 'number' && number >= FIRST_ERROR))
    return run.fail('mismatch', sqlWords.query(said))
  return run.fail('protocol', sqlWords.noMysql)
}
