import type { CheckCredential, ProbeCheck } from '@narval/contracts'
import { type CheckFailure, failure } from '../failure.ts'
import { fr } from '../fr.ts'

type Given = Exclude<CheckCredential, { kind: 'none' | 'sealed' }>
type Snmp = Extract<Given, { kind: 'snmp' }>
/** The credential of a kind; those of a user name and a password are one shape. */
type Of<K extends Given['kind']> = K extends 'snmp' ? Snmp : Exclude<Given, Snmp>

/** The credential of this kind that a check was given; a failure in words where there is none that can be used. */
export const credentialIn = <K extends Given['kind']>({ credential }: ProbeCheck, kind: K): Of<K> | CheckFailure => {
  if (credential?.kind === 'none' && credential.reason === 'unreadable')
    return failure('credentials', fr.credentials.unreadable)
  return credential !== undefined && isOf(credential, kind)
    ? credential
    : failure('credentials', fr.credentials.missing(kind))
}

const isOf = <K extends Given['kind']>(credential: CheckCredential, kind: K): credential is Of<K> & CheckCredential =>
  credential.kind === kind
