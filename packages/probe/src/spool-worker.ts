import { parentPort, workerData } from 'node:worker_threads'
import { errorCode } from './failure.ts'
import type { SpoolOptions } from './spool.ts'
import type { SpoolAnswer, SpoolRequest } from './spool-queue.ts'
import { openOrRepair, suspect } from './spool-repair.ts'

/**
 * The thread that owns the spool's file. Requests that came in one turn share one transaction, so that an acknowledgement,
 * new results and the next batch cost one wait for the disk.
 */
const main = (): void => {
  const port = parentPort
  if (port === null) throw new Error('this file is the body of a worker thread')
  const options: SpoolOptions = workerData
  const say = (answer: SpoolAnswer): void => port.postMessage(answer)
  let opened: ReturnType<typeof openOrRepair>
  try {
    opened = openOrRepair(options)
  } catch (error) {
    say({ kind: 'closed', error: errorOf(error) })
    port.close()
    return
  }
  const { spool, repair } = opened
  let waiting: SpoolRequest[] = []
  const applyWaiting = (): void => {
    const requests = waiting
    waiting = []
    try {
      const operations = requests.flatMap(request => request.operations)
      const taken = spool.apply(operations, Date.now())
      let at = 0
      for (const request of requests) {
        const count = request.operations.filter(operation => operation.kind === 'take').length
        say({ kind: 'done', id: request.id, taken: taken.slice(at, at + count), stats: spool.stats() })
        at += count
      }
    } catch (error) {
      suspect(options.file, error)
      for (const request of requests) say({ kind: 'failed', id: request.id, error: errorOf(error) })
    }
  }
  port.on('message', (request: SpoolRequest | 'close') => {
    if (request === 'close') {
      if (waiting.length > 0) applyWaiting()
      spool.close()
      say({ kind: 'closed', error: null })
      port.close()
      return
    }
    if (waiting.length === 0) setImmediate(applyWaiting)
    waiting.push(request)
  })
  say({ kind: 'opened', stats: spool.stats(), repair })
}

const errorOf = (error: unknown) => ({
  code: errorCode(error),
  message: error instanceof Error ? error.message : String(error),
})

main()
