import type { ImportEntity, ImportField } from '@narval/contracts'

/** An object by the fields of its schema; ids below 0 stand for what the same import creates. */
export type Body = Readonly<Record<string, unknown>>

/** An object that is there, as it was when the import was checked. */
export interface Existing {
  readonly id: number
  readonly name: string
  readonly updatedAt: number
  readonly body: Body
}

/** One row of the file by fields. */
export interface Row {
  readonly line: number
  /** The cell, trimmed; undefined when no column was mapped to this field. */
  cell(field: string): string | undefined
}

export interface Fault {
  readonly fault: string
}
export const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'fault' in value

/** Which object a row means: one that is there, or a new one. Two rows of the same key mean the same. */
export interface Identity {
  readonly key: string
  readonly name: string
  readonly existing: Existing | null
}

/** Told while rows are read: `field` says the column. */
export type Report = (row: Row, field: string, message: string) => void

/** What an entity must say so that its rows can be planned; see `import-plan.ts`. */
export interface EntityImport {
  readonly entity: ImportEntity
  readonly fields: readonly ImportField[]
  /** A metric is never created: its scanner is. */
  readonly creates: boolean
  readonly words: { readonly exists: string; readonly missing: string }
  /** Said for all rows first, in their order; null for one whose fault was reported. */
  identify(rows: readonly Row[], report: Report): Promise<readonly (Identity | null)[]>
  /** A row will create an object under this id below 0: others of the file may refer to it. */
  announce(id: number, row: Row, identity: Identity): void
  /** Fields of the body that a cell gives. */
  read(field: string, cell: string, row: Row, body: Body, existing: Existing | null): Body | Fault
  /** What the schema makes of it, or its faults by field of the file. */
  validate(
    body: Body,
    existing: Existing | null,
  ): { readonly body: Body } | { readonly faults: readonly { field: string; message: string }[] }
  /** What a cell of this field shows of an object. */
  show(field: string, body: Body): string
  /** What each object that is there stands under, as far as the file's rows could close a cycle. */
  readonly parents: ReadonlyMap<number, readonly number[]>
  parentsOf(body: Body): readonly number[]
  /** The field told of a cycle, and the sentence. */
  readonly cycleFault: { readonly field: string; readonly message: string }
}

/** Whether two values of a body are the same, by content. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** The ids that stand on a cycle of « is under », however long; each edge is walked once. */
export const onCycles = (parents: ReadonlyMap<number, readonly number[]>): ReadonlySet<number> => {
  // Leaves are taken away again and again: what is left stands on a cycle or under one; from both ends only cycles stay.
  const left = new Set(parents.keys())
  const children = new Map<number, number[]>()
  for (const [child, above] of parents)
    for (const parent of above) children.set(parent, [...(children.get(parent) ?? []), child])
  const peel = (next: (id: number) => readonly number[], back: (id: number) => readonly number[]): void => {
    const open = new Map([...left].map(id => [id, next(id).filter(one => left.has(one)).length]))
    const ready = [...left].filter(id => open.get(id) === 0)
    for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
      left.delete(id)
      for (const one of back(id)) {
        const count = (open.get(one) ?? 0) - 1
        open.set(one, count)
        if (count === 0 && left.has(one)) ready.push(one)
      }
    }
  }
  const above = (id: number): readonly number[] => parents.get(id) ?? []
  const below = (id: number): readonly number[] => children.get(id) ?? []
  peel(above, below)
  peel(below, above)
  return left
}
