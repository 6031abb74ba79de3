import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedOptions, type EmbeddedSampleStore, openEmbeddedSampleStore } from './embedded.ts'
import { describeSampleStore } from './sample-store.contract.ts'

/** The clock is the test's; `settle` is a maintenance, due at once. */
const harness = (sealing: Pick<EmbeddedOptions, 'sealAfterBytes' | 'sealAfterMs'>) => () => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-samples-'))
  let store: EmbeddedSampleStore | undefined
  let now = (): number => 0
  const open = async (): Promise<EmbeddedSampleStore> => {
    store = await openEmbeddedSampleStore({ folder, now, ...sealing, maintainEveryMs: 0 })
    return store
  }
  return {
    open: (clock: () => number) => {
      now = clock
      return open()
    },
    reopen: async () => {
      await store?.close()
      return open()
    },
    settle: async () => store?.maintain(),
    cleanUp: async () => {
      await store?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

describeSampleStore('the embedded sample store, sealing as it goes', harness({ sealAfterBytes: 1 }))
describeSampleStore('the embedded sample store, sealing when asked', harness({ sealAfterMs: 0 }))
