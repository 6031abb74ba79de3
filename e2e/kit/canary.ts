import { createServer } from 'node:http'

/** A host that nothing of the product may ever speak to. */
export interface Canary {
  readonly url: string
  /** Method and path of each request that came all the same, also those that would open a WebSocket. */
  readonly heard: string[]
  close(): Promise<void>
}

/** Listens on a port of loopback; `page` is the HTML that it answers with. */
export const openCanary = (page = ''): Promise<Canary> =>
  new Promise(resolve => {
    const heard: string[] = []
    const server = createServer((request, response) => {
      heard.push(`${request.method} ${request.url}`)
      response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end(page)
    })
    server.on('upgrade', (request, socket) => {
      heard.push(`UPGRADE ${request.url}`)
      socket.destroy()
    })
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const close = (): Promise<void> =>
        new Promise(ended => {
          server.close(() => ended())
          server.closeAllConnections()
        })
      resolve({ url: `http://127.0.0.1:${port}`, heard, close })
    })
  })
