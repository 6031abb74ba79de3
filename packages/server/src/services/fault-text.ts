/** What faults of disks, databases and networks mean, by their codes. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOSPC: 'le disque est plein',
  EDQUOT: 'le quota de disque est atteint',
  EROFS: 'le disque est en lecture seule',
  EIO: 'le disque a rendu une erreur',
  EACCES: 'l’accès est refusé',
  EMFILE: 'trop de fichiers sont ouverts',
  ENOENT: 'le fichier n’existe pas',
  ECONNREFUSED: 'la connexion est refusée',
  ECONNRESET: 'la connexion a été coupée',
  ETIMEDOUT: 'pas de réponse à temps',
  SQLITE_FULL: 'le disque est plein',
  SQLITE_READONLY: 'la base est en lecture seule',
  SQLITE_BUSY: 'la base est occupée',
  SQLITE_CORRUPT: 'la base est abîmée',
  SQLITE_NOTADB: 'la base est abîmée',
  '53100': 'le disque de PostgreSQL est plein',
  '53300': 'PostgreSQL n’accepte plus de connexion',
  '57014': 'PostgreSQL n’a pas répondu à temps',
  '57P01': 'PostgreSQL a coupé la connexion',
}
const MAX = 300

/** A fault in French where its code is known, with the code; else as it says itself, on one line of 300 characters. */
export const faultText = (error: unknown): string => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const meaning = MEANINGS[code] ?? (code.startsWith('SQLITE_IOERR') ? MEANINGS.EIO : undefined)
  if (meaning !== undefined) return `${meaning} (${code})`
  const text = error instanceof Error ? error.message : String(error)
  // SQLite has done it already, on its own: the disk was full, or failed.
  if (text.startsWith('cannot rollback')) return 'la base a annulé l’écriture'
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, MAX)
}
