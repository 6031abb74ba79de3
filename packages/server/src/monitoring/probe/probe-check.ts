import { CHECK_KINDS, type ProbeCheck, type RuleValues, type Settings } from '@narval/contracts'
import type { SecretBox } from '../../secret-box.ts'
import type { Database } from '../../store/database.ts'
import { createCheckCredentials } from '../check-credentials.ts'
import { effectiveSchedule, type ScannerRow } from '../run/scanner-list.ts'

/** What of a scanner makes its check: a row, or a draft of one that is not saved. */
export type CheckSource = Pick<
  ScannerRow,
  | 'id'
  | 'kind'
  | 'host_id'
  | 'host_address'
  | 'site_id'
  | 'interval_seconds'
  | 'retry_interval_seconds'
  | 'timeout_ms'
  | 'attempts'
  | 'parameters'
>

export interface MadeCheck {
  readonly check: ProbeCheck
  /** Changes whenever its credential does, and tells nothing of it; null: it shows none. */
  readonly mark: string | null
}

/** @returns null for a kind that is not known any more. */
export type MakeCheck = (scanner: CheckSource, probe: { readonly local: boolean }) => MadeCheck | null

export interface ProbeCheckDeps {
  readonly database: Database
  readonly settings: () => Settings
  readonly secrets: SecretBox
  /** The rules of a host; undefined of one that monitoring does not know yet. */
  readonly hostRules: (hostId: number) => RuleValues | undefined
}

/**
 * Makes the checks of these scanners as a probe runs them, with the credential in force. Only the local probe may look at
 * its own machine (S47). A check holds secrets: it goes to the probe that runs it, and nowhere else.
 */
export const createCheckMaker = async (deps: ProbeCheckDeps, scanners: readonly CheckSource[]): Promise<MakeCheck> => {
  const settings = deps.settings()
  const credentialOf = await createCheckCredentials(deps.database.db, deps.secrets, scanners)
  return (scanner, { local }) => {
    const kind = CHECK_KINDS.find(one => one === scanner.kind)
    if (kind === undefined) return null
    const schedule = effectiveSchedule(scanner, settings, deps.hostRules(scanner.host_id))
    const parameters = JSON.parse(scanner.parameters)
    const given = credentialOf(scanner, parameters)
    const check: ProbeCheck = {
      scanner: scanner.id,
      kind,
      address: scanner.host_address,
      intervalMs: schedule.intervalSeconds * 1_000,
      retryIntervalMs: schedule.retryIntervalSeconds * 1_000,
      attempts: schedule.attempts,
      timeoutMs: schedule.timeoutMs,
      parameters,
      ...(given === null ? {} : { credential: given.credential }),
      loopback: local,
    }
    return { check, mark: given?.mark ?? null }
  }
}
