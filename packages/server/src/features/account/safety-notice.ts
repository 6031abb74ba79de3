/** What an account is told of its own safety. */
export interface SafetyNotice {
  /** Unique: said once, whatever is tried again. */
  readonly key: string
  readonly title: string
  readonly message: string
}
