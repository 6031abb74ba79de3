import type { ServerResponse } from 'node:http'
import { eventBytes } from './frame.ts'
import type { PushTransport } from './transport.ts'

/** Opens a stream of server-sent events on `response`, whose reply must be hijacked. What the client sends comes by POST. */
export function openEventStreamTransport(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  onEnd: () => void,
): PushTransport {
  response.on('error', () => response.destroy())
  response.on('close', onEnd)
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-store',
    'x-accel-buffering': 'no',
  })
  response.write(':\n\n')
  return {
    kind: 'serverSentEvents',
    send(frame) {
      if (!response.writableEnded) response.write(eventBytes(frame))
    },
    backlogBytes: () => response.writableLength,
    end: () => response.end(),
    drop: () => response.destroy(),
    tick: () => undefined,
  }
}
