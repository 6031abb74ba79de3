import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A real receiver on a loopback port that keeps what it is sent; `answer` says what comes back. */
export const openReceiver = async (
  answer: (response: ServerResponse, received: Received) => void = response => response.end('reçu'),
) => {
  const received: Received[] = []
  let answering = answer
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    request.on('end', () => {
      const one = {
        ...{ method: request.method ?? '', path: request.url ?? '', headers: request.headers },
        body: Buffer.concat(parts).toString('utf8'),
      }
      received.push(one)
      answering(response, one)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The one cast: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/appel`,
    port,
    received,
    answerWith(next: typeof answer): void {
      answering = next
    },
    close: (): Promise<void> =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>
