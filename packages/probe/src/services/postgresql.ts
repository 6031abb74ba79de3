import { Client, Query } from 'pg'
import { errorCode } from '../failure.ts'
import { createDriverStream } from './driver-stream.ts'
import { createReader } from './reader.ts'
import { ServiceFault, type ServiceRun } from './service-run.ts'
import { type SqlPlan, type SqlSession, sqlWords } from './sql-session.ts'

/** SSLRequest: its length and its number (protocol 3.0). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])
/** Longest message before the session is open. */
const LOGIN_MESSAGE_MAX = 64 * 1_024

/** Opens a session of PostgreSQL over our own connection. */
export const openPostgres = async (plan: SqlPlan): Promise<SqlSession> => {
  const { run } = plan
  const socket = plan.tls ? await requestTls(plan) : plan.socket
  run.stage(sqlWords.stages.login)
  const driver = createDriverStream(run, socket, sqlWords.noPostgres, createLoginGuard(run, plan.tls))
  const client = new Client({
    user: plan.username,
    password: plan.password,
    database: plan.database === '' ? plan.username : plan.database,
    host: run.check.address,
    port: run.port,
    ssl: false,
    application_name: 'Narval',
    // Nothing of the probe's environment counts.
    options: '',
    client_encoding: 'UTF8',
    keepAlive: false,
    stream: () => driver.stream,
    types: { getTypeParser: () => (text: string) => text },
  })
  client.on('error', () => undefined)
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await driver.during(work)
    } catch (error) {
      throw error instanceof ServiceFault ? error : faultOf(run, error, plan.database)
    }
  }
  await told(client.connect())
  return {
    read: async (query, timeoutMs, onRow) => {
      run.stage(sqlWords.stages.query)
      await told(client.query('BEGIN READ ONLY'))
      await told(client.query(`SET LOCAL statement_timeout = ${Math.max(1, Math.floor(timeoutMs))}`))
      const columns = await told(readRows(client, query, onRow))
      await told(client.query('ROLLBACK'))
      return columns
    },
    end: () => void client.end().catch(() => undefined),
  }
}

/** In the extended protocol, where the server takes one statement and no more. */
const readRows = (
  client: Client,
  text: string,
  onRow: (row: readonly (string | null)[]) => void,
): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const config = { text, rowMode: 'array', queryMode: 'extended' }
    const query = new Query<(string | null)[]>(config)
    query.on('row', onRow)
    query.on('error', reject)
    query.on('end', result => resolve(result.fields.map(field => field.name)))
    client.query(query)
  })

const requestTls = async ({ run, socket, verifyTls }: SqlPlan) => {
  run.stage(sqlWords.stages.login)
  const reader = createReader(run, socket, LOGIN_MESSAGE_MAX)
  socket.write(SSL_REQUEST)
  const answer = (await reader.bytes(1)).toString('latin1')
  if (answer === 'N') throw run.fail('tls', sqlWords.noTls)
  if (answer !== 'S') throw run.fail('protocol', sqlWords.noPostgres)
  reader.release()
  return run.secure(socket, verifyTls)
}

const AUTHENTICATION = 'R'
const READY = 'Z'
const CLEARTEXT = 3

/**
 * Lets whole messages pass until the session is open; a server that asks for the password in clear, over a connection in
 * clear, does not get it.
 */
const createLoginGuard = (run: ServiceRun, tls: boolean): ((chunk: Buffer) => Buffer) => {
  let held = Buffer.alloc(0)
  let open = false
  return chunk => {
    if (open) return chunk
    held = Buffer.concat([held, chunk])
    let end = 0
    while (!open && held.length >= end + 5) {
      const kind = String.fromCharCode(held.readUInt8(end))
      const length = held.readUInt32BE(end + 1)
      if (length < 4 || length > LOGIN_MESSAGE_MAX) throw run.fail('protocol', sqlWords.noPostgres)
      if (held.length < end + 1 + length) break
      if (kind === AUTHENTICATION && !tls && length >= 8 && held.readUInt32BE(end + 5) === CLEARTEXT)
        throw run.fail('credentials', sqlWords.clear)
      open = kind === READY
      end += 1 + length
    }
    const passed = open ? held : held.subarray(0, end)
    held = held.subarray(passed.length)
    return passed
  }
}

/** By SQLSTATE (PostgreSQL, appendix A). */
const faultOf = (run: ServiceRun, error: unknown, database: string): ServiceFault => {
  const code = errorCode(error)
  const said = error instanceof Error ? run.spoken(error.message) : ''
  if (/^28/u.test(code)) return run.fail('credentials', sqlWords.credentials(said))
  if (code === '3D000') return run.fail('mismatch', sqlWords.noDatabase(database, said))
  if (code === '57014') return run.fail('timeout', sqlWords.tooSlow)
  if (code === '25006') return run.fail('mismatch', sqlWords.writes(said))
  if (/^(?:53|57P)/u.test(code)) return run.fail('mismatch', sqlWords.busy(said))
  if (/^[0-9A-Z]{5}$/u.test(code)) return run.fail('mismatch', sqlWords.query(said))
  // What the driver itself says of an authentication that it does not accept (SCRAM whose server proves nothing).
  return /SASL|SCRAM|[Aa]uthentication/u.test(said)
    ? run.fail('credentials', sqlWords.login(said))
    : run.fail('protocol', sqlWords.noPostgres)
}
