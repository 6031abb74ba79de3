import { CHECK_KINDS, CHECKS, type CheckKind } from '@narval/contracts'
import type { CheckRunner } from './check.ts'
import { createRunners } from './runners.ts'

/** A kind of check, and how many of it may run at once. */
export interface RegisteredCheck {
  readonly run: CheckRunner
  readonly concurrency: number
}
export type RegisteredChecks = Readonly<Record<CheckKind, RegisteredCheck>>

/** Every kind, each with what it keeps between runs. */
export const createRegistry = (): RegisteredChecks => {
  const runners = createRunners()
  const registered = CHECK_KINDS.map(
    kind => [kind, { run: runners[kind], concurrency: CHECKS[kind].concurrency }] as const,
  )
  return registryOf(Object.fromEntries(registered))
}

/** The one cast: made of every kind, which `Object.fromEntries` does not tell. */
const registryOf = (all: Readonly<Record<string, RegisteredCheck>>): RegisteredChecks => all as RegisteredChecks
