import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncPath } from './files.ts'

/** Within the data folder, where a restore prepares what is to come: a mount point can't be renamed, its entries can. */
export const STAGED = '.restore'
/** There while entries change place: a server does not start on it. */
const MARKER = '.restore-swap'
/** Prefix of the folders that keep what was there before. */
const BEFORE = '.before-restore-'
/** Never moved: they belong to whoever holds the folder. */
const OF_THE_LOCK = /^narval\.(lock|pid|sock)/

const entriesOf = (folder: string): string[] =>
  readdirSync(folder).filter(name => !name.startsWith('.') && !OF_THE_LOCK.test(name) && name !== 'lost+found')

/** Whether a data folder holds anything that a restore would put aside. */
export const isEmptyFolder = (folder: string): boolean => !existsSync(folder) || entriesOf(folder).length === 0

/** Whether a restore was killed while entries changed place. */
export const isHalfRestored = (folder: string): boolean => existsSync(join(folder, MARKER))

interface Swap {
  readonly before: string
  /** What was there and goes aside, what is staged and comes. */
  readonly old: readonly string[]
  readonly staged: readonly string[]
}

/** Entries that have changed place, and may change back until it is said that they stay. */
export interface Swapped {
  /** The folder of what was there; null when there was nothing. */
  readonly before: string | null
  stay(): void
  undo(): void
}

/**
 * Puts what is staged in the place of what is there. A throw leaves all as it was; a kill leaves a marker, with which
 * `recoverSwap` puts all back. @param only the entries put aside: all when null. @param step called before each change: of
 * tests, whose throw is a kill.
 */
export const swapStaged = (
  folder: string,
  nowMs: number,
  only: readonly string[] | null,
  step: (() => void) | null = null,
): Swapped => {
  const before = `${BEFORE}${new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  const old = entriesOf(folder).filter(name => only === null || only.includes(name))
  const staged = readdirSync(join(folder, STAGED))
  const swap: Swap = { before, old, staged }
  writeFileSync(join(folder, MARKER), JSON.stringify(swap), { mode: 0o600 })
  syncPath(join(folder, MARKER))
  syncPath(folder)
  try {
    if (old.length > 0) mkdirSync(join(folder, before), { mode: 0o700 })
    for (const name of old) {
      step?.()
      renameSync(join(folder, name), join(folder, before, name))
    }
    for (const name of staged) {
      step?.()
      renameSync(join(folder, STAGED, name), join(folder, name))
    }
    syncPath(folder)
  } catch (error) {
    if (step === null) putBack(folder, swap)
    throw error
  }
  return {
    before: old.length === 0 ? null : join(folder, before),
    stay() {
      rmSync(join(folder, MARKER))
      syncPath(folder)
    },
    undo: () => putBack(folder, swap),
  }
}

/** Undoes what a killed restore has left, the folder being locked. */
export const recoverSwap = (folder: string): void => {
  if (isHalfRestored(folder)) {
    const swap: Swap = JSON.parse(readFileSync(join(folder, MARKER), 'utf8'))
    putBack(folder, swap)
  }
  rmSync(join(folder, STAGED), { recursive: true, force: true })
}

const putBack = (folder: string, { before, old, staged }: Swap): void => {
  for (const name of staged) {
    const isStillStaged = existsSync(join(folder, STAGED, name))
    // Of the same name as what was there: it has come only when that has gone.
    const hasCome = !isStillStaged && (!old.includes(name) || existsSync(join(folder, before, name)))
    if (hasCome) rmSync(join(folder, name), { recursive: true, force: true })
  }
  for (const name of old)
    if (existsSync(join(folder, before, name))) renameSync(join(folder, before, name), join(folder, name))
  rmSync(join(folder, before), { recursive: true, force: true })
  rmSync(join(folder, MARKER), { force: true })
  syncPath(folder)
}
