import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real server of a test's own: its temporary folder, and its processes, ended by their id. */
export interface TestService {
  readonly folder: string
  /** Starts a program in the foreground and waits until these loopback ports answer. */
  readonly start: (command: string, args: readonly string[], ports: readonly number[], uid?: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** How long a server may take to listen on a busy machine. */
const START_MS = 30_000

export const createTestService = (name: string): TestService => {
  const folder = mkdtempSync(join(tmpdir(), `narval-${name}-`))
  const children = new Set<ChildProcess>()
  return {
    folder,
    start: async (command, args, ports, uid) => {
      // A group of its own: servers that fork are ended with all their children.
      const options = { cwd: folder, detached: true, ...(uid === undefined ? {} : { uid, gid: uid }) }
      const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
      children.add(child)
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', chunk => {
          said = `${said}${String(chunk)}`.slice(-4_000)
        })
      const untilMs = performance.now() + START_MS
      for (const port of ports)
        while (!(await answers(port))) {
          if (child.exitCode !== null || performance.now() > untilMs) throw new Error(`${command}: ${said}`)
          await new Promise(resolve => setTimeout(resolve, 50))
        }
    },
    stop: async () => {
      for (const child of children) await end(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  const late = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), 5_000)
  await gone
  clearTimeout(late)
}

const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

export const isRoot = process.getuid?.() === 0
