import type { ImportEntity } from '@narval/contracts'
import { conflict } from '../../http/refusal.ts'
import type { Database } from '../../store/database.ts'
import type { FieldAccess } from '../../store/field-access.ts'
import type { AppliedModels } from '../../store/model-inheritance.ts'
import type { Draft } from './import-plan.ts'
import type { NewName } from './import-references.ts'

/** What one transaction is to write. */
export interface Writing {
  readonly database: Database
  readonly entity: ImportEntity
  readonly drafts: readonly Draft[]
  readonly newNames: readonly NewName[]
  /** Custom fields that the author may write. */
  readonly access: readonly FieldAccess[]
  readonly by: string
  readonly nowMs: number
  /** Called with the rows that were written since the last call. */
  readonly step: (rows: number) => void
}
export interface Written {
  readonly createdIds: readonly number[]
  readonly updatedIds: readonly number[]
  readonly models: AppliedModels | null
}

/** Hosts that get their scanner, or their models, in one go. */
export const HOSTS_AT_ONCE = 150

/** What is not there any more although the plan saw it, or the other way round. */
export const changedMeanwhile = (): Error =>
  conflict("Des fiches ont été modifiées entre-temps : rien n'a été importé. Vérifiez à nouveau, puis recommencez.")
