import { failed } from '../failure.ts'
import { words } from '../reception/reception-words.ts'
import { checkRunner } from './check.ts'

/** Gives the syslog messages that the probe received from the host since the last run. */
export const syslog = checkRunner('syslog', async (check, _, { reception }) =>
  reception === undefined ? failed('denied', words.off('syslog')) : reception(check),
)
