import { parentPort } from 'node:worker_threads'
import { type EmbeddedCore, openCore } from './embedded-core.ts'
import type { AppendItem, FromWorker, Reply, Request, ToWorker, WorkerSettings } from './protocol.ts'
import { toldFault } from './told-faults.ts'

/** The thread that owns the sample files. Batches that wait together become one transaction. */
const port = parentPort
if (port === null) throw new Error('worker.ts runs in a worker thread')

const SEAL_PAUSE_MS = 1000

const tell = (message: FromWorker, handedOver: ArrayBuffer[] = []): void => port.postMessage(message, handedOver)

function serve(core: EmbeddedCore, stays: boolean): void {
  let waiting: AppendItem[] = []
  let nowMs = 0
  let nextSealMs = 0

  function commit(): void {
    const items = waiting
    waiting = []
    const ids = items.map(item => item.id)
    try {
      const positions = core.append(items).map(written => written.position)
      tell({ kind: 'acks', ids, positions })
    } catch (error) {
      tell({ kind: 'nacks', ids, fault: toldFault(error) })
    }
    sealIfDue()
  }

  /** A sealing that failed is not tried again with every commit. */
  function sealIfDue(): void {
    if (!core.isSealDue || performance.now() < nextSealMs) return
    nextSealMs = Number.POSITIVE_INFINITY
    core.maintain(nowMs).finally(() => {
      nextSealMs = performance.now() + SEAL_PAUSE_MS
    })
  }

  async function answer(id: number, request: Request): Promise<void> {
    try {
      if (request.op === 'close' && waiting.length > 0) commit()
      const reply = await perform(core, request, nowMs)
      tell({ kind: 'reply', id, reply }, buffersOf(reply))
      if (request.op === 'close') leave(stays, heed)
    } catch (error) {
      tell({ kind: 'error', id, fault: toldFault(error) })
    }
  }

  function heed(message: ToWorker): void {
    if (message.kind === 'open') return
    nowMs = message.nowMs
    if (message.kind === 'call') {
      answer(message.id, message.request)
      return
    }
    if (waiting.length === 0) setImmediate(() => waiting.length > 0 && commit())
    for (const item of message.items) waiting.push(item)
  }
  port?.on('message', heed)
}

async function perform(core: EmbeddedCore, request: Request, nowMs: number): Promise<Reply> {
  switch (request.op) {
    case 'range':
      return { op: 'range', answer: await core.reader.range(request.query, nowMs) }
    case 'last':
      return { op: 'last', samples: await core.reader.last(request.series) }
    case 'lastSequence':
      return { op: 'lastSequence', sequence: core.lastSequence(request.key) }
    case 'replay':
      return { op: 'replay', batches: core.replay(request.after, request.limit) }
    case 'stats':
      return { op: 'stats', stats: core.stats() }
    case 'applied':
      core.applied(request.position)
      break
    case 'forget':
      core.forget(request.series)
      break
    case 'retain':
      core.retain(request.retention)
      break
    case 'maintain':
      await core.maintain(nowMs)
      break
    case 'hold':
      await core.hold.take()
      break
    case 'freeze':
      return { op: 'freeze', journal: core.hold.freeze() }
    case 'letGo':
      core.hold.letGo()
      break
    case 'close':
      await core.close()
      break
  }
  return { op: request.op }
}

/** What an answer can hand over instead of having it copied. */
function buffersOf(reply: Reply): ArrayBuffer[] {
  if (reply.op === 'replay') return reply.batches.map(batch => batch.body.buffer)
  if (reply.op !== 'range') return []
  return reply.answer.series
    .flatMap(({ atMs, value, min, max, count }) => [atMs.buffer, value.buffer, min.buffer, max.buffer, count.buffer])
    .filter(buffer => buffer instanceof ArrayBuffer)
}

/** The store is closed, or could not be opened. */
function leave(stays: boolean, heed?: (message: ToWorker) => void): void {
  if (!stays) port?.close()
  else if (heed !== undefined) port?.off('message', heed)
}

function open(settings: WorkerSettings, stays: boolean): void {
  try {
    const core = openCore(settings, (level, message) => tell({ kind: 'log', entry: { level, message } }))
    serve(core, stays)
    tell({ kind: 'ready' })
  } catch (error) {
    tell({ kind: 'refused', fault: toldFault(error) })
    leave(stays)
  }
}
port.on('message', (message: ToWorker) => {
  if (message.kind === 'open') open(message.settings, message.stays)
})
