import type { ImportEntity, ImportState } from '@narval/contracts'
import type { CsvTable } from '../../csv/csv-read.ts'
import { conflict, notFound, unavailable } from '../../http/refusal.ts'

/** Files kept in memory, for one account and in all; milliseconds after which one that nobody asks for is forgotten. */
export const HELD_FILES = { perAccount: 2, inAll: 8, forgottenAfterMs: 30 * 60_000 } as const

export interface HeldFile {
  readonly id: number
  readonly accountId: number
  readonly entity: ImportEntity
  readonly name: string
  /** Null once it was imported: the rows are given back, the result stays. */
  table: CsvTable | null
  progress: ImportState
  usedAt: number
}

const isBusy = ({ progress }: HeldFile): boolean => progress.state === 'checking' || progress.state === 'running'

export interface HeldFiles {
  /** Takes a place, then what `read` makes of the file; a third file of an account takes the place of its oldest. */
  hold(
    accountId: number,
    entity: ImportEntity,
    name: string,
    read: () => Promise<CsvTable>,
  ): Promise<HeldFile & { table: CsvTable }>
  /** 404 for one that is not, or not of this account. */
  get(accountId: number, id: number): HeldFile
  forget(accountId: number, id: number): void
}

export const createHeldFiles = (now: () => number): HeldFiles => {
  const files = new Map<number, HeldFile>()
  /** Account of each file that is being read. */
  const reading: number[] = []
  let lastId = 0
  const sweep = (): void => {
    for (const file of files.values())
      if (!isBusy(file) && now() - file.usedAt > HELD_FILES.forgottenAfterMs) files.delete(file.id)
  }
  // Also when nobody calls: memory is given back, and no process waits for that.
  setInterval(sweep, HELD_FILES.forgottenAfterMs / 6).unref()

  const makeRoom = (accountId: number): void => {
    sweep()
    const own = [...files.values()].filter(file => file.accountId === accountId).toSorted((a, b) => a.usedAt - b.usedAt)
    const count = own.length + reading.filter(id => id === accountId).length
    if (count >= HELD_FILES.perAccount) {
      const oldest = own.find(file => !isBusy(file))
      if (oldest === undefined)
        throw conflict(`Vous avez déjà ${HELD_FILES.perAccount} fichiers en cours : attendez la fin d'un import.`)
      files.delete(oldest.id)
    }
    if (files.size + reading.length >= HELD_FILES.inAll)
      throw unavailable('Trop de fichiers sont en cours d’import : réessayez dans quelques minutes.', 60_000)
  }

  return {
    async hold(accountId, entity, name, read) {
      makeRoom(accountId)
      reading.push(accountId)
      try {
        const table = await read()
        lastId += 1
        const progress: ImportState = {
          state: 'ready',
          done: 0,
          total: table.rows.length * 2,
          result: null,
          message: '',
        }
        const file = { id: lastId, accountId, entity, name, table, progress, usedAt: now() }
        files.set(file.id, file)
        return file
      } finally {
        reading.splice(reading.indexOf(accountId), 1)
      }
    },
    get(accountId, id) {
      sweep()
      const file = files.get(id)
      if (file === undefined || file.accountId !== accountId)
        throw notFound("Ce fichier n'est pas là, ou plus : déposez-le à nouveau.")
      file.usedAt = now()
      return file
    },
    forget(accountId, id) {
      const file = this.get(accountId, id)
      if (isBusy(file)) throw conflict('Cet import est en cours.')
      files.delete(id)
    },
  }
}
