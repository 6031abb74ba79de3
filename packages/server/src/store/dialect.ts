export type Dialect = 'sqlite' | 'postgres'

/** Column types of a dialect; `end` closes a `create table`. */
export interface DialectTypes {
  readonly dialect: Dialect
  readonly id: string
  readonly int: string
  readonly real: string
  readonly blob: string
  readonly end: string
}

export interface Migration {
  readonly name: string
  readonly statements: (types: DialectTypes) => readonly string[]
}
