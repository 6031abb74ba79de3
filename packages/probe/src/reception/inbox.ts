/** A message as it came, before anything is made of it. */
export interface Received {
  readonly bytes: Buffer
  /** By the probe's clock. */
  readonly atMs: number
  /** Answers the sender (informs); absent where nothing can be answered. */
  readonly reply?: (bytes: Buffer) => void
}

/** What waits, by source, and what was too much. */
export interface Inbox {
  /** False: there was no room, the message is counted as lost. */
  readonly put: (source: string, message: Received) => boolean
  /** The next message, each source in its turn: one that floods delays itself. */
  readonly take: () => { readonly source: string; readonly message: Received } | null
  /** Messages of a source that were lost, ever. */
  readonly dropped: (source: string) => number
  readonly size: () => number
}

export interface InboxLimits {
  readonly perSource: number
  readonly perSourceBytes: number
  readonly inAll: number
  readonly inAllBytes: number
}
export const INBOX_LIMITS: InboxLimits = {
  perSource: 1_000,
  perSourceBytes: 1024 * 1024,
  inAll: 20_000,
  inAllBytes: 16 * 1024 * 1024,
}

interface Queue {
  messages: Received[]
  head: number
  bytes: number
}

export const createInbox = (limits: InboxLimits = INBOX_LIMITS): Inbox => {
  /** Only sources with something in them; in the order of their turns. */
  const queues = new Map<string, Queue>()
  const lost = new Map<string, number>()
  let [count, bytes] = [0, 0]
  return {
    put: (source, message) => {
      const queue = queues.get(source) ?? { messages: [], head: 0, bytes: 0 }
      const size = message.bytes.length
      const isFull =
        queue.messages.length - queue.head >= limits.perSource ||
        queue.bytes + size > limits.perSourceBytes ||
        count >= limits.inAll ||
        bytes + size > limits.inAllBytes
      if (isFull) {
        lost.set(source, (lost.get(source) ?? 0) + 1)
        return false
      }
      queue.messages.push(message)
      queue.bytes += size
      queues.set(source, queue)
      count += 1
      bytes += size
      return true
    },
    take: () => {
      const next = queues.entries().next()
      if (next.done === true) return null
      const [source, queue] = next.value
      const message = queue.messages[queue.head]
      queues.delete(source)
      if (message === undefined) return null
      queue.head += 1
      queue.bytes -= message.bytes.length
      count -= 1
      bytes -= message.bytes.length
      if (queue.head === queue.messages.length) return { source, message }
      if (queue.head >= 256) {
        queue.messages = queue.messages.slice(queue.head)
        queue.head = 0
      }
      queues.set(source, queue)
      return { source, message }
    },
    dropped: source => lost.get(source) ?? 0,
    size: () => count,
  }
}
