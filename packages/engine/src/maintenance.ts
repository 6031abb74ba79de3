/** A period of the schedule, epoch ms; `toMs` is no more in it. */
export interface MaintenanceSpan {
  readonly fromMs: number
  readonly toMs: number
}

/** A maintenance that takes place. */
export interface MaintenanceRunState {
  /** Start of its period in the schedule: what tells it from the next one. */
  readonly occurrenceMs: number
  readonly startedMs: number
  readonly untilMs: number
}

export interface MaintenanceInput {
  /** The period of the schedule that holds `nowMs`, or the problem that a flexible one starts at; null: none. */
  readonly span: MaintenanceSpan | null
  /** Starts at the first problem and lasts so long, even beyond the period; null: the whole period. */
  readonly flexibleMs: number | null
  /** When the first problem of the period was seen; null: none yet. */
  readonly problemMs: number | null
  /** Start of the last period that took place: none does twice. */
  readonly doneMs: number | null
  /** Nothing starts before: when it was planned. */
  readonly plannedMs: number
}

export type MaintenanceStep =
  | { readonly type: 'started'; readonly run: MaintenanceRunState }
  | { readonly type: 'ended'; readonly run: MaintenanceRunState; readonly endedMs: number }

/**
 * One step of a maintenance: what starts or ends at `nowMs`, and the run that holds after it. A period whose end was moved
 * moves that of its run; one that is no more ends its run now; a flexible run lasts its time whatever the period does.
 */
export const stepMaintenance = (
  run: MaintenanceRunState | null,
  input: MaintenanceInput,
  nowMs: number,
): { readonly run: MaintenanceRunState | null; readonly steps: readonly MaintenanceStep[] } => {
  const steps: MaintenanceStep[] = []
  let held = run
  if (held !== null) {
    const next = heldOn(held, input, nowMs)
    if (next !== null) return { run: next, steps }
    steps.push({ type: 'ended', run: held, endedMs: Math.min(held.untilMs, nowMs) })
  }
  const ended = held
  held = startOf(input, ended?.occurrenceMs ?? input.doneMs, nowMs)
  if (held !== null) steps.push({ type: 'started', run: held })
  return { run: held, steps }
}

/** The run as it goes on; null where it is over. */
const heldOn = (run: MaintenanceRunState, input: MaintenanceInput, nowMs: number): MaintenanceRunState | null => {
  const { span, flexibleMs } = input
  if (flexibleMs !== null) return run.untilMs > nowMs ? run : null
  if (span === null || span.fromMs > nowMs || span.toMs <= nowMs) return null
  if (span.fromMs !== run.occurrenceMs && run.untilMs <= nowMs) return null
  // A start that was moved while it runs changes neither when it began nor that it is the same.
  return { ...run, occurrenceMs: span.fromMs, untilMs: span.toMs }
}

const startOf = (input: MaintenanceInput, doneMs: number | null, nowMs: number): MaintenanceRunState | null => {
  const { span, flexibleMs, problemMs, plannedMs } = input
  if (span === null || span.fromMs === doneMs) return null
  if (flexibleMs === null) {
    if (span.fromMs > nowMs || span.toMs <= nowMs) return null
    return {
      occurrenceMs: span.fromMs,
      startedMs: Math.max(span.fromMs, Math.min(plannedMs, nowMs)),
      untilMs: span.toMs,
    }
  }
  if (problemMs === null || problemMs < span.fromMs || problemMs >= span.toMs || problemMs + flexibleMs <= nowMs)
    return null
  return { occurrenceMs: span.fromMs, startedMs: problemMs, untilMs: problemMs + flexibleMs }
}

/** Time of a period that lies in at least one of these spans, in ms: counted apart from what was good or bad. */
export const timeInSpans = (period: MaintenanceSpan, spans: readonly MaintenanceSpan[]): number => {
  let total = 0
  let reached = period.fromMs
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const start = Math.max(fromMs, reached)
    const end = Math.min(toMs, period.toMs)
    if (end <= start) continue
    total += end - start
    reached = end
  }
  return total
}
