import { readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { SOCKET } from './control.ts'

/** Of the data folder: copies of the database from before upgrades, and what the last backup came to. */
export const BEFORE_UPGRADE = 'before-upgrade'
export const LAST_BACKUP = 'backup-last.json'
/** Which backup was restored, until the log says it. */
export const RESTORED = 'restored.json'
/** Of a backup. */
export const DATABASE_FOLDER = 'database'
export const SQLITE_FILE = `${DATABASE_FOLDER}/narval.db`
export const SAMPLES_FOLDER = 'samples'
export const KEPT_FOLDER = 'folder'

/** What a backup of the data folder leaves out: copied otherwise, of this machine's present, or made anew. */
const LEFT_OUT = [
  /^narval\.(db|lock)(-.*)?$/,
  /^narval\.pid$/,
  new RegExp(`^${SOCKET.replace('.', '\\.')}$`),
  /^samples\//,
  // The local probe measures on: what it has not sent is not known to the server yet. Who it is counts.
  /^probe\/(?!identity\.json$)/,
  new RegExp(`^${BEFORE_UPGRADE}/`),
  new RegExp(`^${LAST_BACKUP.replace('.', '\\.')}`),
  new RegExp(`^${RESTORED.replace('.', '\\.')}$`),
  /(^|\/)\./,
  /\.partial$/,
]
export const isKept = (path: string): boolean => !LEFT_OUT.some(pattern => pattern.test(path))

/** Keys: who has them reads every secret, and speaks for this server or for its local probe. */
export const isKey = (path: string): boolean => path.startsWith('secrets/') || path === 'probe/identity.json'

const NAME = /^narval-\d{8}T\d{6}Z$/

/** `narval-20261122T150405Z`. */
export const backupName = (atMs: number): string =>
  `narval-${new Date(atMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
export const isBackupName = (name: string): boolean => NAME.test(name)

const PARTIAL = /^\.narval-\d{8}T\d{6}Z\.(.+)\.(\d+)\.partial$/

/** Under this name a backup is made, or goes: nobody takes it for one. */
export const partialName = (name: string): string => `.${name}.${hostname()}.${process.pid}.partial`

/** Takes away what killed backups of this machine have left. */
export const sweepPartials = (destination: string): void => {
  for (const name of readdirSync(destination)) {
    const [, machine, pid] = PARTIAL.exec(name) ?? []
    if (machine === hostname() && !isAlive(Number(pid)))
      rmSync(join(destination, name), { recursive: true, force: true })
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
