import { failed } from '../failure.ts'
import { words } from '../reception/reception-words.ts'
import { checkRunner } from './check.ts'
import { credentialIn } from './check-credential.ts'

/** Gives the traps that the probe received from the host since the last run. */
export const trap = checkRunner('trap', async (check, { anyCommunity }, { reception }) => {
  const credential = anyCommunity ? null : credentialIn(check, 'snmp')
  if (credential !== null && 'code' in credential) return { values: {}, failure: credential }
  return reception === undefined ? failed('denied', words.off('trap')) : reception(check)
})
