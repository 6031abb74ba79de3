import { createHash, randomUUID } from 'node:crypto'
import {
  type AnswerBody,
  type CheckCredential,
  ORDERS_WAIT_MS,
  type OrdersReply,
  type ProbeCheck,
  type ProbeOrder,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { ProbeCaller } from '../../http/caller.ts'
import { conflict } from '../../http/refusal.ts'
import { runnerOf, SERVER_RUNNER } from '../../monitoring/fleet/model.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { createCheckMaker, type ProbeCheckDeps } from '../../monitoring/probe/probe-check.ts'
import type { AskedOrder, AskProbe, AssignProbe, OnAnswer, OrderOutcome } from '../../monitoring/probe/probe-orders.ts'
import { runnerOfRow, type ScannerRow, scannerList } from '../../monitoring/run/scanner-list.ts'
import { createProbeSeals, type Sealer } from './probe-seals.ts'

/** An order not fetched by then is forgotten: a check asked a minute ago interests nobody. */
const ORDER_LIFE_MS = 30_000
const MAX_ORDERS = 1_000

interface Mailbox {
  orders: { place: number; order: ProbeOrder }[]
  waiters: Set<() => void>
}

export interface OrdersService {
  /** Answers at once when there is news, otherwise when there is, or after `ORDERS_WAIT_MS`. */
  poll(
    caller: ProbeCaller,
    query: { after: number; revision: string; wait?: string | undefined },
    signal: AbortSignal,
  ): Promise<OrdersReply>
  /** Asks the probes of these scanners to run them now; how many probes were told. */
  recheck(scannerIds: readonly number[]): number
  /** The same for one, in so many ms; asked again meanwhile, it is once. */
  recheckLater(scannerId: number, delayMs: number): void
  readonly ask: AskProbe
  readonly assign: AssignProbe
  /**
   * An answer of a probe; of an order that is not its own, or not waited for any more, it is left aside.
   * @throws a refusal when it is a part of a long order that is over: the probe then ends it.
   */
  answered(caller: ProbeCaller, body: AnswerBody): Promise<void>
  /** From now on the credentials that this probe is given are sealed for this key of its own. */
  sealFor(caller: ProbeCaller, key: string): Promise<void>
  /** Objects or settings changed: configurations are made again and probes told. */
  invalidate(): void
  /** Calls that probes hold open, answers that are waited for now; orders given out and answers got since the start. */
  counts(): { readonly open: number; readonly awaited: number; readonly given: number; readonly answered: number }
  stop(): void
}

export interface OrdersDeps extends ProbeCheckDeps {
  readonly monitoring: Monitoring
  readonly now: () => number
}

export const createOrders = (deps: OrdersDeps): OrdersService => {
  const { now, monitoring } = deps
  const mailboxes = new Map<number, Mailbox>()
  const configurations = new Map<number, { revision: string; checks: ProbeCheck[] }>()
  const asking = new Map<string, { readonly probeId: number; readonly end: (outcome: OrderOutcome | null) => void }>()
  const assigned = new Map<string, { readonly probeId: number; readonly onAnswer: OnAnswer }>()
  const seals = createProbeSeals(deps.database)
  const rechecks = new Map<number, NodeJS.Timeout>()
  let place = 0
  let version = 0
  let answers = 0
  let stopped = false

  const mailbox = (probeId: number): Mailbox => {
    const known = mailboxes.get(probeId)
    if (known !== undefined) return known
    const created: Mailbox = { orders: [], waiters: new Set() }
    mailboxes.set(probeId, created)
    return created
  }
  const wake = (box: Mailbox): void => {
    for (const waiter of [...box.waiters]) waiter()
  }
  const post = (probeId: number, asked: AskedOrder, lifeMs: number): ProbeOrder => {
    const box = mailbox(probeId)
    if (box.orders.length >= MAX_ORDERS) box.orders.shift()
    place += 1
    // Ids are not to be guessed: the answer of one probe must not pass for another's.
    const order: ProbeOrder = { ...asked, id: `${asked.kind}-${place}-${randomUUID()}`, deadlineMs: now() + lifeMs }
    box.orders.push({ place, order })
    wake(box)
    return order
  }
  const configurationOf = async (caller: ProbeCaller) => {
    const cached = configurations.get(caller.probeId)
    if (cached !== undefined) return cached
    const before = version
    const made = await makeConfiguration(deps, caller, await seals.sealer(caller.probeId))
    if (before === version) configurations.set(caller.probeId, made)
    return made
  }
  const pending = (box: Mailbox, after: number) => {
    box.orders = box.orders.filter(({ order }) => order.deadlineMs > now())
    return box.orders.filter(one => one.place > after)
  }
  const answer = async (caller: ProbeCaller, after: number, revision: string): Promise<OrdersReply> => {
    const state = monitoring.presence.state(caller.probeId)
    const orders = pending(mailbox(caller.probeId), after)
    // As it is now, not as it was when the call came in: a long poll outlives a revocation.
    const approved = caller.state === 'approved' && approvalOf(state) === 'approved'
    const configuration = approved ? await configurationOf(caller) : null
    return {
      state: approved ? 'online' : state,
      configuration: configuration === null || configuration.revision === revision ? null : configuration,
      orders: approved ? orders.map(({ order }) => order) : [],
      after: Math.max(after > place ? 0 : after, ...orders.map(one => one.place)),
      serverTimeMs: now(),
    }
  }
  const hasNews = ({ state }: ProbeCaller, reply: OrdersReply): boolean =>
    reply.configuration !== null || reply.orders.length > 0 || approvalOf(reply.state) !== state

  const recheck = (scannerIds: readonly number[]): number => {
    const byProbe = Map.groupBy(
      scannerIds.flatMap(id => monitoring.model.scanners.get(id) ?? []),
      scanner => runnerOf(monitoring.model, scanner),
    )
    let told = 0
    for (const [probeId, scanners] of byProbe) {
      if (probeId === null || probeId === SERVER_RUNNER) continue
      post(probeId, { kind: 'recheck', scanners: scanners.map(({ id }) => id) }, ORDER_LIFE_MS)
      told += 1
    }
    return told
  }

  return {
    async poll(caller, query, signal) {
      const box = mailbox(caller.probeId)
      const deadlineMs = now() + ORDERS_WAIT_MS
      for (;;) {
        // A place from before the server's start means nothing here.
        const after = query.after > place ? 0 : query.after
        const reply = await answer(caller, after, query.revision)
        const leftMs = deadlineMs - now()
        if (hasNews(caller, reply) || query.wait === '0' || leftMs <= 0 || signal.aborted || stopped) return reply
        await waitForNews(box, leftMs, signal)
      }
    },
    recheck,
    recheckLater(scannerId, delayMs) {
      if (rechecks.has(scannerId) || stopped) return
      const again = (): void => {
        rechecks.delete(scannerId)
        recheck([scannerId])
      }
      rechecks.set(scannerId, setTimeout(again, delayMs))
    },
    async sealFor(caller, key) {
      if (await seals.learn(caller.probeId, key)) configurations.delete(caller.probeId)
    },
    async ask(probeId, asked, { timeoutMs, signal }) {
      const order = sealedOrder(asked, await seals.sealer(probeId))
      const { promise, resolve } = Promise.withResolvers<OrderOutcome | null>()
      const { id } = post(probeId, order, timeoutMs)
      const end = (outcome: OrderOutcome | null): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        asking.delete(id)
        resolve(outcome)
      }
      const giveUp = (): void => {
        end(null)
        // A diagnostic may go on for long: nobody waits for it any more.
        if (order.kind === 'diagnose') post(probeId, { kind: 'cancel', order: id }, ORDER_LIFE_MS)
      }
      const timer = setTimeout(giveUp, timeoutMs)
      signal?.addEventListener('abort', giveUp)
      asking.set(id, { probeId, end })
      if (stopped || signal?.aborted === true) giveUp()
      return promise
    },
    async assign(probeId, asked, { lifeMs, onAnswer }) {
      const { id } = post(probeId, sealedOrder(asked, await seals.sealer(probeId)), lifeMs)
      assigned.set(id, { probeId, onAnswer })
      const withdraw = (): void => {
        const box = mailbox(probeId)
        box.orders = box.orders.filter(({ order }) => order.id !== id)
      }
      return {
        withdraw,
        end: () => {
          withdraw()
          assigned.delete(id)
          post(probeId, { kind: 'cancel', order: id }, ORDER_LIFE_MS)
        },
        over: () => {
          withdraw()
          assigned.delete(id)
        },
      }
    },
    async answered(caller, { order, outcome }) {
      if (caller.state !== 'approved') return
      answers += 1
      const long = assigned.get(order)
      if (long?.probeId === caller.probeId) return long.onAnswer(outcome)
      if (outcome.kind === 'discovered') throw conflict('Cet ordre n’est plus attendu.')
      const waiting = asking.get(order)
      if (waiting?.probeId === caller.probeId) waiting.end(outcome)
    },
    invalidate() {
      version += 1
      configurations.clear()
      for (const box of mailboxes.values()) wake(box)
    },
    counts: () => ({
      open: [...mailboxes.values()].reduce((sum, box) => sum + box.waiters.size, 0),
      ...{ awaited: asking.size + assigned.size, given: place, answered: answers },
    }),
    stop() {
      stopped = true
      for (const timer of rechecks.values()) clearTimeout(timer)
      for (const { end } of [...asking.values()]) end(null)
      for (const box of mailboxes.values()) wake(box)
    },
  }
}

const approvalOf = (state: OrdersReply['state']): ProbeCaller['state'] =>
  state === 'online' || state === 'offline' ? 'approved' : state

const waitForNews = (box: Mailbox, timeoutMs: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      box.waiters.delete(done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, timeoutMs)
    box.waiters.add(done)
    signal.addEventListener('abort', done)
  })

const withSealed = <T extends { readonly credential?: CheckCredential | undefined }>(bearer: T, { seal }: Sealer): T =>
  bearer.credential === undefined ? bearer : { ...bearer, credential: seal(bearer.credential) }
/** What an order shows to equipment leaves the server sealed too. */
const sealedOrder = (asked: AskedOrder, sealer: Sealer): AskedOrder => {
  if (asked.kind === 'test') return { ...asked, check: withSealed(asked.check, sealer) }
  return asked.kind === 'discover' || asked.kind === 'diagnose' ? withSealed(asked, sealer) : asked
}

/** Every check that a probe runs, with all that it needs; the revision is a digest of it. */
const makeConfiguration = async (
  deps: OrdersDeps,
  caller: ProbeCaller,
  sealer: Sealer,
): Promise<{ revision: string; checks: ProbeCheck[] }> => {
  const spec = scannerList('system')
  const answer =
    await sql<ScannerRow>`select ${spec.select} from ${spec.from} where scanner.enabled = 1 and host.enabled = 1 order by scanner.id`.execute(
      deps.database.db,
    )
  const make = await createCheckMaker(deps, answer.rows)
  const marks: string[] = [sealer.mark]
  const checks = answer.rows.flatMap(row => {
    if (runnerOfRow(deps.monitoring.model, row) !== caller.probeId) return []
    const made = make(row, caller)
    if (made === null) return []
    if (made.mark !== null) marks.push(`${row.id} ${made.mark}`)
    return [withSealed(made.check, sealer)]
  })
  // The probe writes the revision down: it is no digest of a secret.
  const told = JSON.stringify([checks.map(({ credential: _, ...check }) => check), marks])
  return { revision: createHash('sha256').update(told).digest('hex').slice(0, 32), checks }
}
