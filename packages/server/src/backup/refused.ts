/** A backup can't be made, or is not one to restore: a sentence in French for the administrator. Nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
