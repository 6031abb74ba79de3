import type { ChunkFiles } from './chunk-files.ts'
import type { Journal } from './journal.ts'
import type { FrozenJournal } from './protocol.ts'
import { SampleStoreBusy } from './sample-store.ts'

/**
 * Stands still for a backup, which copies the files from outside while batches go on being acknowledged: chunks first
 * change no more and the journal loses nothing (`take`), then the journal's file is whole and at rest too (`freeze`).
 * Whatever was acknowledged before `freeze` is in the copy of the journal or in those of the chunks.
 */
export interface Hold {
  /** Waits for the pass of maintenance under way. @throws {SampleStoreBusy} when it is held already. */
  take(): Promise<void>
  /** @throws when it is not held. */
  freeze(): FrozenJournal
  /** All goes on; no harm when it is not held. */
  letGo(): void
}

const BUSY_RETRY_MS = 60_000

/** @param alone runs what no pass of maintenance must be under way with. */
export function createHold(
  journal: Journal,
  files: ChunkFiles,
  alone: (work: () => Promise<void>) => Promise<void>,
): Hold {
  let held: PromiseWithResolvers<void> | null = null
  return {
    async take() {
      if (held !== null) throw new SampleStoreBusy('Une sauvegarde est déjà en cours.', BUSY_RETRY_MS)
      const own = Promise.withResolvers<void>()
      held = own
      const begun = Promise.withResolvers<void>()
      alone(async () => {
        await files.settle()
        begun.resolve()
        await own.promise
      }).catch(begun.reject)
      try {
        await begun.promise
      } catch (error) {
        if (held === own) held = null
        throw error
      }
    },
    freeze() {
      if (held === null) throw new Error('freeze outside of a hold')
      return journal.freeze()
    },
    letGo() {
      if (held === null) return
      journal.thaw()
      held.resolve()
      held = null
    },
  }
}
