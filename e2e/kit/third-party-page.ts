import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const PAGE = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="/select2.css">
  <main></main><script src="/jquery.js"></script><script src="/datatables.js"></script><script src="/select2.js"></script>
  <script src="/client.js"></script>`

interface Served {
  readonly type: 'text/html' | 'text/css' | 'text/javascript'
  readonly body: string
}
const script = (file: string | URL): Served => ({ type: 'text/javascript', body: readFileSync(file, 'utf8') })
const readFiles = (): ReadonlyMap<string, Served> =>
  new Map<string, Served>([
    ['/', { type: 'text/html', body: PAGE }],
    ['/jquery.js', script(require.resolve('jquery'))],
    ['/datatables.js', script(require.resolve('datatables.net/js/dataTables.min.js'))],
    ['/select2.js', script(require.resolve('select2/dist/js/select2.min.js'))],
    [
      '/select2.css',
      { type: 'text/css', body: readFileSync(require.resolve('select2/dist/css/select2.min.css'), 'utf8') },
    ],
    ['/client.js', script(new URL('third-party-client.js', import.meta.url))],
  ])

/** Somebody's web server before Narval: serves his own page and passes /api on, so that both are one origin. */
export interface ThirdParty {
  readonly url: string
  close(): Promise<void>
}

/** Listens on a port of loopback; `port` is the product's. */
export const openThirdParty = (port: number): Promise<ThirdParty> =>
  new Promise(resolve => {
    const files = readFiles()
    const server = createServer((incoming, response) => {
      if (incoming.url?.startsWith('/api/')) return passOn(port, incoming, response)
      const file = files.get(incoming.url ?? '')
      response.writeHead(file === undefined ? 404 : 200, {
        'content-type': `${file?.type ?? 'text/plain'}; charset=utf-8`,
      })
      response.end(file?.body)
    })
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const own = typeof address === 'object' && address !== null ? address.port : 0
      const close = (): Promise<void> =>
        new Promise(ended => {
          server.close(() => ended())
          server.closeAllConnections()
        })
      resolve({ url: `http://127.0.0.1:${own}`, close })
    })
  })

const passOn = (port: number, incoming: IncomingMessage, response: ServerResponse): void => {
  const onward = request(
    { host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers: incoming.headers },
    answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  onward.on('error', () => response.writeHead(502).end())
  incoming.pipe(onward)
}
