import { parentPort, workerData } from 'node:worker_threads'
import { type EmbeddedCore, openCore } from './embedded-core.ts'
import { messageOf, SampleStoreCorrupt, SampleStoreFailed, SampleStoreLocked } from './faults.ts'
import type { AppendItem, FromWorker, Reply, Request, ToldFault, ToWorker, WorkerSettings } from './protocol.ts'
import { SampleStoreBusy } from './sample-store.ts'

/** The thread that owns the sample files. Batches that wait together become one transaction. */
const port = parentPort
if (port === null) throw new Error('worker.ts runs in a worker thread')
const settings: WorkerSettings = workerData

const tell = (message: FromWorker, handedOver: ArrayBuffer[] = []): void => port.postMessage(message, handedOver)

function toldFault(error: unknown): ToldFault {
  const message = messageOf(error)
  if (error instanceof SampleStoreBusy) return { kind: 'busy', message, retryAfterMs: error.retryAfterMs }
  if (error instanceof SampleStoreCorrupt) return { kind: 'corrupt', message: error.reason, file: error.file }
  if (error instanceof SampleStoreFailed) return { kind: 'failed', message }
  if (error instanceof SampleStoreLocked) return { kind: 'locked', message }
  return { kind: error instanceof RangeError ? 'range' : 'error', message }
}

function serve(core: EmbeddedCore): void {
  let waiting: AppendItem[] = []
  let nowMs = 0
  let isSealing = false

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
    if (core.isSealDue && !isSealing) {
      isSealing = true
      core.maintain(nowMs).finally(() => {
        isSealing = false
      })
    }
  }

  async function answer(id: number, request: Request): Promise<void> {
    try {
      if (request.op === 'close' && waiting.length > 0) commit()
      const reply = await perform(core, request, nowMs)
      tell({ kind: 'reply', id, reply }, buffersOf(reply))
      if (request.op === 'close') port?.close()
    } catch (error) {
      tell({ kind: 'error', id, fault: toldFault(error) })
    }
  }

  port?.on('message', (message: ToWorker) => {
    nowMs = Math.max(nowMs, message.nowMs)
    if (message.kind === 'call') {
      answer(message.id, message.request)
      return
    }
    if (waiting.length === 0) setImmediate(() => waiting.length > 0 && commit())
    for (const item of message.items) waiting.push(item)
  })
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
    case 'maintain':
      await core.maintain(nowMs)
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

try {
  serve(openCore(settings, (level, message) => tell({ kind: 'log', entry: { level, message } })))
  tell({ kind: 'ready' })
} catch (error) {
  tell({ kind: 'refused', fault: toldFault(error) })
  port.close()
}
