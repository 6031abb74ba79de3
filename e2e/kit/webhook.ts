import { createServer } from 'node:http'

/** What arrived at a path of the receiver, in order; bodies that are no JSON are refused with 400. */
export interface WebhookReceiver {
  readonly url: string
  received(path: string): readonly Readonly<Record<string, unknown>>[]
  close(): Promise<void>
}

/** Somebody's web server on loopback that takes what is posted to it. */
export const openWebhook = async (): Promise<WebhookReceiver> => {
  const bodies = new Map<string, Record<string, unknown>[]>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      try {
        const path = request.url ?? ''
        const body: Record<string, unknown> = JSON.parse(Buffer.concat(chunks).toString())
        bodies.set(path, [...(bodies.get(path) ?? []), body])
        response.writeHead(200).end('pris')
      } catch {
        response.writeHead(400).end()
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    received: path => bodies.get(path) ?? [],
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
