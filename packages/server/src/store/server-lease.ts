import pg from 'pg'

/** Another server works on this database. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}

/** The right to be the one server of a database. */
export interface ServerLease {
  /** False from when its connection is lost until it is held again: nothing may be told meanwhile. */
  isHeld(): boolean
  /** Gives it back: the next server may start. */
  release(): Promise<void>
}

export interface LeaseOptions {
  /** The connection went or came back; a sentence for the log. */
  readonly onChange?: (isHeld: boolean, why: string) => void
  /** A server that was killed leaves it as soon as its connection ends: waited for so long at a start. */
  readonly patienceMs?: number
  /** How often the connection is asked whether it is alive, and a lost one is tried again. */
  readonly everyMs?: number
}

/** Any number that is not one of `store/lock.ts`; the second key is the schema, so that tests do not meet. */
const LEASE = 4_200
const PATIENCE_MS = 5_000
const EVERY_MS = 2_000
const ANSWER_MS = 5_000
const RETRY_MS = 200
/** After so long without a sign of its machine PostgreSQL itself ends the connection: later than the server has noticed. */
const KEEPALIVES = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

/**
 * Takes the right to be the one server of a PostgreSQL database: an advisory lock on a connection of its own, gone with
 * that connection whatever ends it. A lost connection is opened again for ever.
 * @throws {DatabaseInUse} when another server has it still after `patienceMs`.
 */
export const takeServerLease = async (url: string, options: LeaseOptions = {}): Promise<ServerLease> => {
  const everyMs = options.everyMs ?? EVERY_MS
  let held: pg.Client | null = null
  let isReleased = false
  let timer: NodeJS.Timeout | null = null

  const lose = (client: pg.Client, why: string): void => {
    if (held !== client || isReleased) return
    held = null
    void client.end().catch(() => undefined)
    options.onChange?.(false, why)
    again()
  }
  const take = async (): Promise<boolean> => {
    const client = await connect(url)
    try {
      if (!(await tryLock(client)) || isReleased) {
        await client.end()
        return false
      }
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    held = client
    client.on('error', error => lose(client, error.message))
    client.on('end', () => lose(client, 'connection ended'))
    return true
  }
  const look = async (): Promise<void> => {
    const client = held
    if (client !== null)
      return void (await client.query('select 1').catch((error: Error) => lose(client, error.message)))
    const isTaken = await take().catch(() => false)
    if (isTaken) options.onChange?.(true, 'connection opened again')
  }
  const again = (): void => {
    if (timer !== null) clearTimeout(timer)
    if (isReleased) return
    timer = setTimeout(() => void look().finally(again), everyMs)
    timer.unref()
  }

  const endMs = Date.now() + (options.patienceMs ?? PATIENCE_MS)
  while (!(await take())) {
    if (Date.now() >= endMs) throw new DatabaseInUse(await refusalOf(url))
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
  again()
  return {
    isHeld: () => held !== null,
    async release() {
      isReleased = true
      if (timer !== null) clearTimeout(timer)
      const client = held
      held = null
      await client?.end().catch(() => undefined)
    },
  }
}

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'narval',
    keepAlive: true,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  // Without a listener an error would end the process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const tryLock = async (client: pg.Client): Promise<boolean> => {
  await client.query(KEEPALIVES).catch(() => undefined)
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1, hashtext(current_schema())) as taken',
    [LEASE],
  )
  return rows[0]?.taken === true
}

/** Who has it, as far as this account may know. */
const refusalOf = async (url: string): Promise<string> => {
  const client = await connect(url)
  const { rows } = await client
    .query<{ address: string | null; since: Date | null }>(
      `select host(a.client_addr) as address, a.backend_start as since from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objsubid = 2
         and l.database = (select oid from pg_database where datname = current_database())
         and l.objid = (hashtext(current_schema())::bigint & 4294967295)::oid`,
      [LEASE],
    )
    .finally(() => client.end().catch(() => undefined))
  const [other] = rows
  const from = other?.address == null ? '' : ` depuis ${other.address}`
  const since = other?.since == null ? '' : ` (connecté${from} depuis le ${SINCE.format(other.since)})`
  return [
    `Un autre serveur Narval utilise déjà cette base de données${since}.`,
    'Deux serveurs préviendraient chacun de tout\u202f: arrêtez l’autre, ou donnez à celui-ci une autre base (DATABASE_URL).',
  ].join('\n')
}
const SINCE = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'medium' })
