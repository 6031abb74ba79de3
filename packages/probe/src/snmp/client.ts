import type { CheckCredential } from '@narval/contracts'
import type { CheckFailure } from '../failure.ts'
import { communityDialect } from './community.ts'
import type { Dialect } from './dialect.ts'
import { type Exchange, type ExchangeLimits, openExchange, type Place } from './exchange.ts'
import { compareOids, suffixOf } from './oid.ts'
import { PDU, type RequestPdu, type ResponsePdu, type Varbind } from './pdu.ts'
import { SnmpError, words } from './snmp-words.ts'
import { usmDialect } from './usm.ts'

export type { SnmpType, Varbind } from './pdu.ts'
export { SnmpError } from './snmp-words.ts'
export type SnmpCredential = Extract<CheckCredential, { kind: 'snmp' }>

/** Where to ask: a vetted IP address; the credential's port unless said. */
export interface SnmpTarget {
  readonly address: string
  readonly port?: number
}
export type SnmpLimits = ExchangeLimits

export interface Bounds {
  /** Rows of a table, or values of a walk. */
  readonly maxRows?: number
  readonly maxBytes?: number
  /** Told each value of a walk as it comes: what there is of one that fails later. */
  readonly onValue?: (varbind: Varbind) => void
}

/** A row of a table: its index, as the digits after the column's OID, and the cells that it has. */
export interface SnmpRow<N extends string> {
  readonly index: string
  readonly cells: Readonly<Partial<Record<N, Varbind>>>
}

/**
 * A conversation with one agent over one socket, in v1, v2c or v3. Calls come one after the other; each rejects with a
 * SnmpError, whose `failure` is in French and for people, and never after the session's time limit. Close it always.
 */
export interface SnmpSession {
  /** One varbind for each OID, in order; what the agent does not have is of type `absent`. */
  readonly get: (oids: readonly string[]) => Promise<readonly Varbind[]>
  /** Everything below an OID, in the order of the MIB; 10,000 values and the session's bytes at most, beyond which it fails. */
  readonly walk: (oid: string, bounds?: Bounds) => Promise<readonly Varbind[]>
  /** Columns of a table, by name; 10,000 rows at most. A column that the agent does not have is in no row. */
  readonly table: <N extends string>(
    columns: Readonly<Record<N, string>>,
    bounds?: Bounds,
  ) => Promise<readonly SnmpRow<N>[]>
  readonly close: () => void
}

const MAX_ROWS = 10_000
/** OIDs in a get, and varbinds asked of a getBulk: what fits in a packet that no network cuts in pieces. */
const GET_MAX = 24
const BULK_MAX = 60

export const openSnmp = (target: SnmpTarget, credential: SnmpCredential, limits: SnmpLimits): SnmpSession => {
  const place = { address: target.address, port: target.port ?? credential.port }
  const dialect = dialectOf(credential, place, limits)
  const exchange = openExchange(place, dialect, limits)
  const session = { exchange, dialect, bulk: { size: BULK_MAX } }
  return {
    get: async oids => {
      const found: Varbind[] = []
      for (let at = 0; at < oids.length; at += GET_MAX)
        found.push(...(await getSome(session, oids.slice(at, at + GET_MAX))))
      return found
    },
    walk: async (oid, bounds = {}) => {
      const found: Varbind[] = []
      const room = roomOf(exchange, bounds)
      await readColumns(session, [oid], (_, __, varbind) => {
        found.push(varbind)
        room(oid, found.length)
        bounds.onValue?.(varbind)
      })
      return found
    },
    table: (columns, bounds = {}) => readTable(session, columns, bounds),
    close: exchange.close,
  }
}

const dialectOf = (credential: SnmpCredential, { address, port }: Place, { nowMs }: SnmpLimits): Dialect => {
  const { version, authProtocol, privProtocol } = credential
  if (version !== 'v3') return communityDialect(version, credential.community)
  const auth =
    authProtocol === 'none' ? null : { protocol: authProtocol, password: Buffer.from(credential.authPassword) }
  const priv =
    auth === null || privProtocol === 'none'
      ? null
      : { protocol: privProtocol, password: Buffer.from(credential.privPassword) }
  const user = { name: credential.user, contextName: credential.contextName, auth, priv }
  return usmDialect(user, `${address} ${port}`, nowMs)
}

interface Session {
  readonly exchange: Exchange
  readonly dialect: Dialect
  /** Varbinds asked at once; less after an agent said that its answer does not fit. */
  readonly bulk: { size: number }
}

const STATUS = { tooBig: 1, noSuchName: 2, noAccess: 6, authorization: 16 } as const
const fail = (reason: CheckFailure): never => {
  throw new SnmpError(reason)
}
const failStatus = ({ errorStatus, errorIndex }: ResponsePdu, oids: readonly string[]): never => {
  const oid = oids[errorIndex - 1] ?? oids[0] ?? ''
  if (errorStatus === STATUS.noAccess || errorStatus === STATUS.authorization) return fail(words.noAccess(oid))
  return fail(words.errorStatus(errorStatus, oid))
}

const getSome = async (session: Session, oids: readonly string[]): Promise<readonly Varbind[]> => {
  const answer = await session.exchange.ask({ tag: PDU.get, oids })
  if (answer.errorStatus === 0) {
    if (answer.varbinds.some(({ oid }, n) => oid !== oids[n]) || answer.varbinds.length !== oids.length)
      fail(words.otherOids)
    return answer.varbinds
  }
  if (answer.errorStatus === STATUS.tooBig && oids.length > 1) {
    const half = Math.ceil(oids.length / 2)
    return [...(await getSome(session, oids.slice(0, half))), ...(await getSome(session, oids.slice(half)))]
  }
  if (answer.errorStatus === STATUS.tooBig) return fail(words.tooBig)
  // In v1 one missing OID spoils the whole answer: the others are asked again without it.
  const missing = answer.errorIndex - 1
  if (answer.errorStatus !== STATUS.noSuchName || oids[missing] === undefined) return failStatus(answer, oids)
  const absent: Varbind = { oid: oids[missing], type: 'absent', value: null }
  const rest = oids.toSpliced(missing, 1)
  return rest.length === 0 ? [absent] : (await getSome(session, rest)).toSpliced(missing, 0, absent)
}

/** Fails when a read goes beyond its bounds. */
const roomOf = (exchange: Exchange, { maxRows = MAX_ROWS, maxBytes = Number.POSITIVE_INFINITY }: Bounds) => {
  const before = exchange.received()
  return (oid: string, rows: number): void => {
    if (rows > maxRows) fail(words.tooManyRows(oid, maxRows))
    if (exchange.received() - before > maxBytes) fail(words.tooMuch(oid, maxBytes))
  }
}

interface GrowingRow<N extends string> {
  readonly index: string
  readonly cells: Partial<Record<N, Varbind>>
}

const readTable = async <N extends string>(
  session: Session,
  columns: Readonly<Record<N, string>>,
  bounds: Bounds,
): Promise<readonly SnmpRow<N>[]> => {
  const room = roomOf(session.exchange, bounds)
  const rows = new Map<string, GrowingRow<N>>()
  const names = namesOf(columns)
  await readColumns(
    session,
    names.map(name => columns[name]),
    (column, index, varbind) => {
      const row: GrowingRow<N> = rows.get(index) ?? { index, cells: {} }
      rows.set(index, row)
      const name = names[column]
      if (name !== undefined) row.cells[name] = varbind
      room(varbind.oid, rows.size)
    },
  )
  return [...rows.values()]
}

/** The keys of a record, typed as such: it has no others. */
const namesOf = <N extends string>(columns: Readonly<Record<N, string>>): readonly N[] => Object.keys(columns) as N[]

type OnCell = (column: number, index: string, varbind: Varbind) => void
interface Column {
  readonly number: number
  readonly root: string
  at: string
}

/** Walks several subtrees side by side; each goes on from where it is until it leaves its root. */
const readColumns = async (session: Session, roots: readonly string[], onCell: OnCell): Promise<void> => {
  let open: Column[] = roots.map((root, number) => ({ number, root, at: root }))
  while (open.length > 0) {
    const asked = open.slice(0, session.bulk.size)
    const answer = await session.exchange.ask(questionFor(session, asked))
    const done = answer.errorStatus === 0 ? takeRows(asked, answer.varbinds, onCell) : spoilt(session, asked, answer)
    if (done.size > 0) open = open.filter(column => !done.has(column))
  }
}

const questionFor = ({ dialect, bulk }: Session, asked: readonly Column[]): Omit<RequestPdu, 'requestId'> => {
  const oids = asked.map(column => column.at)
  return dialect.version === 1
    ? { tag: PDU.getNext, oids }
    : { tag: PDU.getBulk, oids, maxRepetitions: Math.max(1, Math.floor(bulk.size / asked.length)) }
}

/** Columns that ended. */
const takeRows = (asked: readonly Column[], varbinds: readonly Varbind[], onCell: OnCell): Set<Column> => {
  const done = new Set<Column>()
  const [first] = asked
  if (varbinds.length === 0) fail(words.emptyAnswer(first?.at ?? ''))
  for (const [n, varbind] of varbinds.entries()) {
    const column = asked[n % asked.length]
    if (column === undefined || done.has(column)) continue
    const index = varbind.type === 'end' || varbind.type === 'absent' ? null : suffixOf(varbind.oid, column.root)
    if (index === null) done.add(column)
    else {
      if (compareOids(varbind.oid, column.at) <= 0) fail(words.notIncreasing(column.at))
      column.at = varbind.oid
      onCell(column.number, index, varbind)
    }
  }
  return done
}

/** What an error means for the columns that were asked: v1 ends a column with noSuchName, and asks less after tooBig. */
const spoilt = ({ dialect, bulk }: Session, asked: readonly Column[], answer: ResponsePdu): Set<Column> => {
  const column = asked[answer.errorIndex - 1]
  if (dialect.version === 1 && answer.errorStatus === STATUS.noSuchName && column !== undefined)
    return new Set([column])
  if (answer.errorStatus === STATUS.tooBig && bulk.size > 1) {
    bulk.size = Math.max(1, Math.floor(bulk.size / 2))
    return new Set()
  }
  if (answer.errorStatus === STATUS.tooBig) return fail(words.tooBig)
  return failStatus(
    answer,
    asked.map(({ at }) => at),
  )
}
