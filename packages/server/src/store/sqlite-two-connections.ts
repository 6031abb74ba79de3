import type SqliteDatabase from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

type Connection = SqliteDatabase.Database
type Statement = SqliteDatabase.Statement

/**
 * SQLite as PostgreSQL is seen from here: reads outside of a transaction have a connection of their own and see what was
 * committed last, so that nobody waits for an import or a bulk change to end; what writes stands in line for the other.
 * Both connections are of one file in WAL mode; the one that reads must be opened read-only.
 */
export const twoConnections = (writer: Connection, reader: Connection): Dialect => ({
  createAdapter: () => new ManyAtOnce(),
  createDriver: () => createDriver(writer, reader),
  createIntrospector: db => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})

/** Kysely would otherwise let one at a time have a connection. */
class ManyAtOnce extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** One user of the database at a time: statements of others run between his, unless he is in a transaction. */
interface Session extends DatabaseConnection {
  begin(): Promise<void>
  end(how: 'commit' | 'rollback'): Promise<void>
}

const createDriver = (writer: Connection, reader: Connection): Driver => {
  const writing = preparedOnce(writer)
  const reading = preparedOnce(reader)
  const turn = createTurns()
  const sessions = new WeakMap<DatabaseConnection, Session>()
  const sessionOf = (connection: DatabaseConnection): Session => {
    const session = sessions.get(connection)
    if (session === undefined) throw new Error('a connection of another database')
    return session
  }
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      const session = createSession(writing, reading, turn)
      sessions.set(session, session)
      return session
    },
    beginTransaction: connection => sessionOf(connection).begin(),
    commitTransaction: connection => sessionOf(connection).end('commit'),
    rollbackTransaction: connection => sessionOf(connection).end('rollback'),
    releaseConnection: async () => undefined,
    destroy: async () => {
      reader.close()
      writer.close()
    },
  }
}

const createSession = (
  writing: (text: string) => Statement,
  reading: (text: string) => Statement,
  turn: () => Promise<() => void>,
): Session => {
  /** Lets the next one write; null outside of a transaction. */
  let release: (() => void) | null = null
  const session: Session = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      if (release !== null) return run(writing(sql), parameters)
      if (READ.test(sql)) {
        const statement = reading(sql)
        if (statement.readonly) return run(statement, parameters)
      }
      const done = await turn()
      try {
        return run(writing(sql), parameters)
      } finally {
        done()
      }
    },
    // biome-ignore lint/correctness/useYield: the interface asks for it, nothing here streams rows.
    async *streamQuery() {
      throw new Error('rows are read by slices, not streamed')
    },
    // By `executeQuery`, which Kysely listens to: whoever counts writes hears of the commit.
    async begin() {
      release = await turn()
      try {
        await session.executeQuery(CompiledQuery.raw('begin'))
      } catch (error) {
        leave()
        throw error
      }
    },
    async end(how) {
      await session.executeQuery(CompiledQuery.raw(how)).finally(() => {
        // A commit that fails is still to be rolled back.
        if (how === 'rollback') leave()
      })
      leave()
    },
  }
  const leave = (): void => {
    release?.()
    release = null
  }
  return session
}

const READ = /^\s*(select|with)\b/i

const run = <R>(statement: Statement, parameters: readonly unknown[]): QueryResult<R> => {
  if (statement.reader) return { rows: rowsOf<R>(statement.all(parameters)) }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
}

/** The one cast: who wrote the statement says what its rows are. */
const rowsOf = <R>(rows: unknown[]): R[] => rows as R[]

/** Each waits for the one before, in order. */
const createTurns = () => {
  let last: Promise<void> = Promise.resolve()
  return async (): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = last
    last = promise
    await before
    return resolve
  }
}

/** Statements kept prepared, the last used: preparing costs as much as a short query. */
const PREPARED = 300

/** Prepares each statement once. Kysely never holds one open between two uses. */
export const preparedOnce = (connection: Connection): ((text: string) => Statement) => {
  const known = new Map<string, Statement>()
  return text => {
    const statement = known.get(text) ?? connection.prepare(text)
    known.delete(text)
    known.set(text, statement)
    if (known.size > PREPARED) known.delete(known.keys().next().value ?? text)
    return statement
  }
}
