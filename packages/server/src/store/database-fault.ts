import { conflict, type Refusal, unavailable } from '../http/refusal.ts'

/** What a driver tells of an error: PostgreSQL its SQLSTATE, table and detail, SQLite the name of its code. */
interface DriverError {
  readonly code: string
  readonly message: string
  readonly table: string
  readonly detail: string
}

const textOf = (error: object, key: string): string => {
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' ? value : ''
}
const driverErrorOf = (error: unknown): DriverError | null =>
  error instanceof Error
    ? {
        code: textOf(error, 'code'),
        message: error.message,
        table: textOf(error, 'table'),
        detail: textOf(error, 'detail'),
      }
    : null

const TRANSIENT: ReadonlySet<string> = new Set(['40P01', '40001'])
/** A statement or a wait for a lock that took too long: another change holds what this one needs. */
const TOO_LONG: ReadonlySet<string> = new Set(['57014', '55P03'])
const UNIQUE: ReadonlySet<string> = new Set(['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'])
const FOREIGN_KEY: ReadonlySet<string> = new Set(['23503', 'SQLITE_CONSTRAINT_FOREIGNKEY'])

/** Whether the same transaction may well succeed when done again: two of them stood in each other's way. */
export const isTransient = (error: unknown): boolean => TRANSIENT.has(driverErrorOf(error)?.code ?? '')

/** The refusal that an error of the database is, for who asked; null for what is a fault of ours. */
export const refusalOfDatabase = (error: unknown): Refusal | null => {
  const told = driverErrorOf(error)
  if (told === null) return null
  if (UNIQUE.has(told.code)) return taken(told)
  if (FOREIGN_KEY.has(told.code)) return conflict(missing(told))
  return TRANSIENT.has(told.code) || TOO_LONG.has(told.code) ? busy() : null
}

const busy = (): Refusal => unavailable('D’autres modifications sont en cours : réessayez dans un moment.', 2_000)

interface Taken {
  /** Of the form that gave the value. */
  readonly field: string
  readonly sentence: string
}
const NAME = 'name'
const name = (sentence: string): Taken => ({ field: NAME, sentence })

/** By table and columns, as both dialects name them. */
const TAKEN: Readonly<Record<string, Taken>> = {
  'site.code_folded': { field: 'code', sentence: 'Un autre site a déjà ce code.' },
  'site_type.name_folded': name('Un autre type de site a déjà ce nom.'),
  'host_type.name_folded': name('Un autre type d’équipement a déjà ce nom.'),
  'host_model.name_folded,manufacturer': name('Ce constructeur a déjà un modèle matériel de ce nom.'),
  'monitoring_model.name_folded': name('Un autre modèle de supervision a déjà ce nom.'),
  'field_group.name_folded': name('Un autre groupe de champs a déjà ce nom.'),
  'field_definition.key': { field: 'key', sentence: 'Un autre champ a déjà cette clé.' },
  'user_group.name_folded': name('Un autre groupe d’utilisateurs a déjà ce nom.'),
  'account.login_folded': { field: 'login', sentence: 'Ce nom de compte est déjà pris.' },
  'metric.scanner_id,key': { field: 'key', sentence: 'Ce scanner a déjà une métrique de cette clé.' },
}

const taken = (error: DriverError): Refusal => {
  const known = TAKEN[`${tableOf(error)}.${columnsOf(error).join(',')}`]
  if (known === undefined) return conflict('Quelqu’un vient d’enregistrer la même chose : rechargez la page.')
  return conflict(known.sentence, { fields: { [known.field]: known.sentence } })
}

/** « UNIQUE constraint failed: site.code_folded » or the table and the detail « Key (code_folded)=(par) already exists. ». */
const tableOf = ({ table, message }: DriverError): string =>
  table === '' ? (/: (\w+)\./.exec(message)?.[1] ?? '') : table
const columnsOf = ({ detail, message }: DriverError): string[] => {
  const inDetail = /\(([\w, ]+)\)=\(/.exec(detail)?.[1]
  if (inDetail !== undefined) return inDetail.split(', ')
  return [...message.matchAll(/\w+\.(\w+)/g)].map(found => found[1] ?? '')
}

/** What a column refers to, with its verb; a column of one table alone goes before one of any. */
const REFERENCES: Readonly<Record<string, string>> = {
  site_id: 'Le site a été supprimé entre-temps.',
  'site.parent_id': 'Le site parent a été supprimé entre-temps.',
  'host_parent.parent_id': 'Un équipement dont dépend celui-ci a été supprimé entre-temps.',
  type_id: 'Le type a été supprimé entre-temps.',
  'host.model_id': 'Le modèle matériel a été supprimé entre-temps.',
  model_id: 'Le modèle de supervision a été supprimé entre-temps.',
  probe_id: 'La sonde a été supprimée entre-temps.',
  host_id: 'L’équipement a été supprimé entre-temps.',
  scanner_id: 'Le scanner a été supprimé entre-temps.',
  metric_id: 'La métrique a été supprimée entre-temps.',
  group_id: 'Le groupe a été supprimé entre-temps.',
  field_group_id: 'Le groupe de champs a été supprimé entre-temps.',
  user_group_id: 'Le groupe d’utilisateurs a été supprimé entre-temps.',
  definition_id: 'Le champ a été supprimé entre-temps.',
  account_id: 'Le compte a été supprimé entre-temps.',
}

/** PostgreSQL names the column that refers, or `id` where what is deleted is still referred to; SQLite names neither. */
const missing = (error: DriverError): string => {
  const [column = ''] = columnsOf(error)
  if (column === 'id') return 'Un autre objet vient de s’en servir : ce qui sert encore n’est pas supprimé.'
  return (
    REFERENCES[`${tableOf(error)}.${column}`] ??
    REFERENCES[column] ??
    'Un objet lié a été supprimé entre-temps, ou sert encore : rechargez la page.'
  )
}
