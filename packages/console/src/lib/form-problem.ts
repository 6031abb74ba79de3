import type { Problem } from '@narval/contracts'

/** What a form shows of a refusal: sentences beside fields it has, the rest above; the newer version when it is stale. */
export interface FormRefusal {
  readonly fields: readonly { readonly path: string; readonly message: string }[]
  readonly general: string
  /** Set when the record changed since it was loaded (409): who, when, and its values as the server holds them. */
  readonly newer: {
    readonly by: string | null
    readonly at: string
    readonly values: Readonly<Record<string, unknown>>
  } | null
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const newerOf = (problem: Problem): FormRefusal['newer'] => {
  const { current } = problem
  if (problem.status !== 409 || !isRecord(current) || typeof current.updatedAt !== 'string') return null
  const by = current.updatedBy
  return { by: typeof by === 'string' ? by : null, at: current.updatedAt, values: current }
}

/** `parameters.port` belongs to the form when it has that field or one above it. */
const belongs = (path: string, known: ReadonlySet<string>): boolean => {
  const parts = path.split('.')
  return parts.some((_, index) => known.has(parts.slice(0, index + 1).join('.')))
}

const bare = (sentence: string): string => sentence.trim().replace(/\.$/, '')

/** Sorts a server's problem into the fields that the form has and one sentence for what has no field. */
export const readProblem = (problem: Problem, formFields: readonly string[]): FormRefusal => {
  const known = new Set(formFields)
  const entries = Object.entries(problem.fields ?? {})
  const fields = entries.filter(([path]) => belongs(path, known)).map(([path, message]) => ({ path, message }))
  const shown = new Set(fields.map(field => bare(field.message)))
  const others = problem.errors.filter(sentence => !shown.has(bare(sentence)))
  const homeless = entries.filter(([path]) => !belongs(path, known)).map(([, message]) => message)
  const general = [...new Set([...others, ...homeless])].join(' ')
  return {
    fields,
    general: general === '' && fields.length === 0 ? problem.detail || problem.title : general,
    newer: newerOf(problem),
  }
}
