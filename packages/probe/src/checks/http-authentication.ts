import { isIP } from 'node:net'
import type { CheckParameters, ProbeCheck } from '@narval/contracts'
import { type CheckFailure, failure } from '../failure.ts'
import { fr } from '../fr.ts'
import type { CheckContext } from './check.ts'
import { credentialIn } from './check-credential.ts'
import { portOf } from './http-exchange.ts'

/** The credentials of one run. */
export interface Authentication {
  /**
   * What to send to a hop that is to be asked at this address: nothing past a redirect to another origin (S50), and a
   * failure where the first address is not the equipment's own, whose credentials these are.
   */
  readonly headerFor: (url: URL, address: string, leftMs: number) => Promise<string | null | CheckFailure>
}

const NOBODY: Authentication = { headerFor: async () => null }

/** The host's credentials where a check asks for them; a failure where there are none that can be used. */
export const createAuthentication = (
  check: ProbeCheck,
  parameters: Pick<CheckParameters<'http'>, 'authentication'>,
  context: CheckContext,
): Authentication | CheckFailure => {
  if (parameters.authentication === 'none') return NOBODY
  const credential = credentialIn(check, 'http')
  if ('code' in credential) return credential
  const pair = `${credential.username}:${credential.password}`
  const header =
    parameters.authentication === 'bearer'
      ? `Bearer ${credential.password}`
      : `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`
  let origin: string | null = null
  return {
    headerFor: async (url, address, leftMs) => {
      if (origin !== null) return url.origin === origin ? header : null
      if (!(await isHostItself(check, url, address, context, leftMs)))
        return failure('denied', fr.http.elsewhere(url.hostname))
      origin = url.origin
      return header
    },
  }
}

/** Whether a URL leads to the equipment: by its very address, or by another name of the same one. */
const isHostItself = async (
  check: ProbeCheck,
  url: URL,
  address: string,
  context: CheckContext,
  leftMs: number,
): Promise<boolean> => {
  const own = isIP(check.address) === 6 ? `[${check.address}]` : check.address
  if (URL.parse(`http://${own}/`)?.hostname === url.hostname) return true
  const target = { loopback: check.loopback, port: portOf(url), path: url.pathname }
  const resolved = await context.resolver.resolve(check.address, target, Math.max(1, leftMs), true)
  return resolved.failure === null && resolved.address === address
}
