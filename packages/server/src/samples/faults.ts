/** A file of the sample store that can't be trusted: said by name, never skipped in silence. */
export class SampleStoreCorrupt extends Error {
  override readonly name = 'SampleStoreCorrupt'
  readonly file: string
  readonly reason: string
  constructor(file: string, reason: string) {
    super(
      `Le fichier de mesures « ${file} » est abîmé (${reason}). Restaurez-le depuis une sauvegarde, ou déplacez-le hors du dossier pour continuer sans lui.`,
    )
    this.file = file
    this.reason = reason
  }
}

/** Durability is uncertain, or the worker is gone: nothing is acknowledged any more, only a restart recovers. */
export class SampleStoreFailed extends Error {
  override readonly name = 'SampleStoreFailed'
}

/** Another process has the folder open. */
export class SampleStoreLocked extends Error {
  override readonly name = 'SampleStoreLocked'
}

export type Fault = 'full' | 'corrupt' | 'uncertain'

/** What a failed write means: no room left (retry later), a damaged file, or nobody knows what is on disk. */
export function classifyFault(error: unknown): Fault {
  if (error instanceof SampleStoreCorrupt) return 'corrupt'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'SQLITE_IOERR_SHMSIZE') return 'full'
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') return 'corrupt'
  return 'uncertain'
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
