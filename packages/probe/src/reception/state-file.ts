import { join } from 'node:path'
import { readOrNull, writeDurably } from '../identity.ts'
import { CALM, type HeldState } from './held-state.ts'

/** What of reception outlives a restart: states that last, and how often the probe started (SNMPv3 counts it). */
export interface StateFile {
  readonly boots: number
  readonly heldOf: (scanner: number) => HeldState
  /** Keeps a state, on disk at once or within `GAP_MS`; CALM is nothing to keep. */
  readonly keep: (scanner: number, held: HeldState) => void
  readonly forget: (scanner: number) => void
  readonly close: () => void
}

/** A flood changes states often: the disk is asked no more often than this. */
const GAP_MS = 2_000

export const openStateFile = (folder: string, onFault: (error: unknown) => void): StateFile => {
  const file = join(folder, 'reception.json')
  const { boots: before, held } = readState(file)
  const boots = Math.min(0x7fff_fffe, before + 1)
  let timer: NodeJS.Timeout | null = null
  let isDirty = false
  const write = (): void => {
    isDirty = false
    try {
      writeDurably(file, JSON.stringify({ boots, held: [...held] }))
    } catch (error) {
      onFault(error)
    }
  }
  const changed = (): void => {
    isDirty = true
    if (timer !== null) return
    write()
    timer = setTimeout(() => {
      timer = null
      if (isDirty) changed()
    }, GAP_MS)
    timer.unref()
  }
  write()
  return {
    boots,
    heldOf: scanner => held.get(scanner) ?? CALM,
    keep: (scanner, next) => {
      const last = held.get(scanner)
      if (next === CALM) {
        if (held.delete(scanner)) changed()
      } else if (last?.errorUntilMs !== next.errorUntilMs || last.warningUntilMs !== next.warningUntilMs) {
        held.set(scanner, next)
        changed()
      }
    },
    forget: scanner => {
      if (held.delete(scanner)) changed()
    },
    close: () => {
      if (timer !== null) clearTimeout(timer)
      if (isDirty) write()
    },
  }
}

/** A file that can't be read is begun anew: what lasted is told again by who sends it. */
const readState = (file: string): { readonly boots: number; readonly held: Map<number, HeldState> } => {
  const held = new Map<number, HeldState>()
  try {
    const stored: unknown = JSON.parse(readOrNull(file) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return { boots: 0, held }
    const entries = 'held' in stored && Array.isArray(stored.held) ? stored.held : []
    for (const entry of entries) {
      if (!Array.isArray(entry) || typeof entry[0] !== 'number') continue
      const { warningUntilMs, errorUntilMs } = entry[1] ?? {}
      if (typeof warningUntilMs === 'number' && typeof errorUntilMs === 'number')
        held.set(entry[0], { warningUntilMs, errorUntilMs })
    }
    return { boots: 'boots' in stored && typeof stored.boots === 'number' ? stored.boots : 0, held }
  } catch {
    return { boots: 0, held }
  }
}
