import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { errorCode } from './failure.ts'
import { readOrNull } from './identity.ts'

/** A data folder is one process's at a time (rule 2, R20). The spool's own lock backs this file, which names the holder. */
export type FolderLock =
  | { readonly held: true; readonly release: () => void }
  | { readonly held: false; readonly pid: number }

interface Holder {
  readonly pid: number
  /** When that process began, by the kernel: a number that is used again is told apart by it. */
  readonly started: string
}

const ATTEMPTS = 5

/** Takes the folder, also from a holder that is gone; otherwise says whose it is. */
export const lockFolder = (folder: string): FolderLock => {
  const file = lockFile(folder)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (create(file)) return { held: true, release: () => releaseOwn(file) }
    const holder = parseHolder(readOrNull(file))
    if (holder !== null && isAlive(holder)) return { held: false, pid: holder.pid }
    moveAway(file, holder)
  }
  return { held: false, pid: parseHolder(readOrNull(file))?.pid ?? 0 }
}

/** The process that holds the folder; null when it is free. */
export const holderOf = (folder: string): number | null => {
  const holder = parseHolder(readOrNull(lockFile(folder)))
  return holder !== null && isAlive(holder) ? holder.pid : null
}

const lockFile = (folder: string): string => join(folder, 'probe.lock')

const create = (file: string): boolean => {
  const draft = `${file}.${process.pid}`
  try {
    // Complete before it is visible: `wx` on the file itself would show an empty file to another starter.
    const fd = openSync(draft, 'w', 0o600)
    writeSync(fd, JSON.stringify({ pid: process.pid, started: startOf(process.pid) ?? '' }))
    fsyncSync(fd)
    closeSync(fd)
    linkSync(draft, file)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A stale lock is moved to a name of our own, and put back if it turns out that somebody else took the folder meanwhile. */
const moveAway = (file: string, stale: Holder | null): void => {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  const moved = parseHolder(readOrNull(aside))
  const isOther = moved !== null && (moved.pid !== stale?.pid || moved.started !== stale.started)
  if (isOther && isAlive(moved)) renameSync(aside, file)
  else rmSync(aside, { force: true })
}

const releaseOwn = (file: string): void => {
  if (parseHolder(readOrNull(file))?.pid === process.pid) rmSync(file, { force: true })
}

const parseHolder = (text: string | null): Holder | null => {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null || !('pid' in value) || !Number.isSafeInteger(value.pid))
      return null
    return { pid: Number(value.pid), started: 'started' in value ? String(value.started) : '' }
  } catch {
    return null
  }
}

const isAlive = (holder: Holder): boolean => {
  if (existsSync('/proc/self/stat')) return startOf(holder.pid) === holder.started
  try {
    process.kill(holder.pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Boot of the machine and start of the process, as Linux knows them; null without /proc, and for a process that is gone. */
const startOf = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold anything: fields are counted after it. The 22nd is the start, in ticks since boot.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`
  } catch {
    return null
  }
}
