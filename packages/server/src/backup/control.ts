import { createHash } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { EmbeddedSampleStore } from '../samples/embedded.ts'
import type { FrozenJournal } from '../samples/protocol.ts'

/**
 * Where a running server is asked to stand still: a socket in the data folder, which only those may use who may read the
 * folder's files anyway. One command a line, one JSON answer a line; the end of the connection ends the hold.
 */
const addressOf = (folder: string): string =>
  process.platform === 'win32'
    ? `\\\\.\\pipe\\narval-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`
    : join(folder, SOCKET)
/** Its name in the data folder. */
export const SOCKET = 'narval.sock'

/** A backup that lasts longer is given up: sealing has waited for it. */
const LONGEST_HOLD_MS = 2 * 3_600_000

type Holdable = Pick<EmbeddedSampleStore, 'hold' | 'freeze' | 'letGo'>
type Answer = { readonly ok: true; readonly journal?: FrozenJournal } | { readonly ok: false; readonly message: string }

/** The server's side. A socket that can't be opened (a path too long) is told to `warn`: backups then need a stop. */
export interface BackupControl {
  close(): Promise<void>
}

/** Opens it beside the sample store of a data folder that this process alone works on. */
export const openBackupControl = async (
  folder: string,
  samples: Holdable,
  warn: (error: Error) => void,
): Promise<BackupControl> => {
  const address = addressOf(folder)
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    serve(socket, samples)
  })
  // What a killed server has left: the folder's lock says that nobody uses it.
  if (process.platform !== 'win32') rmSync(address, { force: true })
  await new Promise<void>(resolve => {
    server.once('error', error => {
      warn(error)
      resolve()
    })
    server.listen(address, resolve)
  })
  if (server.listening && process.platform !== 'win32') chmodSync(address, 0o600)
  server.unref()
  return {
    async close() {
      for (const socket of open) socket.destroy()
      if (server.listening) await new Promise(resolve => server.close(resolve))
    },
  }
}

const serve = (socket: Socket, samples: Holdable): void => {
  let isHolding = false
  let isOpen = true
  const end = setTimeout(() => socket.destroy(), LONGEST_HOLD_MS)
  end.unref()
  const perform = async (command: string): Promise<Answer> => {
    if (command === 'freeze' && isHolding) return { ok: true, journal: await samples.freeze() }
    if (command !== 'hold' || isHolding) return { ok: false, message: `commande inattendue\u202f: ${command}` }
    await samples.hold()
    isHolding = true
    if (!isOpen) await samples.letGo()
    return { ok: true }
  }
  onLines(socket, command =>
    perform(command)
      .catch((error: unknown): Answer => ({ ok: false, message: error instanceof Error ? error.message : 'échec' }))
      .then(answer => isOpen && socket.write(`${JSON.stringify(answer)}\n`)),
  )
  socket.on('error', () => undefined)
  socket.once('close', () => {
    isOpen = false
    clearTimeout(end)
    if (isHolding) void samples.letGo().catch(() => undefined)
  })
}

/** What a backup asks of the server that runs; `end` lets all go on. */
export interface HeldServer {
  hold(): Promise<void>
  freeze(): Promise<FrozenJournal>
  /** Rejects what is asked, and what is under way looks here: the server has gone or given up. */
  isLost(): boolean
  end(): void
}

/** Null when no server answers for this folder. */
export const callServer = async (folder: string): Promise<HeldServer | null> => {
  const socket = createConnection(addressOf(folder))
  const isConnected = await new Promise<boolean>(resolve => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  if (!isConnected) return null
  let isLost = false
  let waiting: PromiseWithResolvers<Answer> | null = null
  onLines(socket, line => {
    const answer: Answer = JSON.parse(line)
    waiting?.resolve(answer)
  })
  socket.on('error', () => undefined)
  socket.once('close', () => {
    isLost = true
    waiting?.reject(new Error('Le serveur s’est arrêté pendant la sauvegarde.'))
  })
  const ask = async (command: string): Promise<FrozenJournal | null> => {
    waiting = Promise.withResolvers<Answer>()
    if (isLost) waiting.reject(new Error('Le serveur s’est arrêté pendant la sauvegarde.'))
    else socket.write(`${command}\n`)
    const answer = await waiting.promise
    if (!answer.ok) throw new Error(answer.message)
    return answer.journal ?? null
  }
  return {
    hold: async () => void (await ask('hold')),
    async freeze() {
      const journal = await ask('freeze')
      if (journal === null) throw new Error('Le serveur n’a pas dit où en est son journal.')
      return journal
    },
    isLost: () => isLost,
    end: () => socket.destroy(),
  }
}

/** Whole lines of a few bytes; more than that without an end is nobody of ours. */
const onLines = (socket: Socket, take: (line: string) => void): void => {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (part: string) => {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > 1_000) socket.destroy()
    for (const line of lines) take(line)
  })
}
