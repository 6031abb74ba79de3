import { type LookupAddress, lookup } from 'node:dns'
import { isIP } from 'node:net'
import { type CheckFailure, errorCode, failure } from './failure.ts'
import { fr } from './fr.ts'
import { canonicalAddress, type VettedTarget, type Vetting } from './vetting.ts'

/** Finds the address of a host and vets it. Answers are kept for a short while, and one question is asked once at a time. */
export interface Resolver {
  /** The first allowed address, or why there is none. `fresh` asks the name server whatever is kept. */
  readonly resolve: (host: string, target: VettedTarget, timeoutMs: number, fresh?: boolean) => Promise<Resolved>
}

export type Resolved =
  | { readonly address: string; readonly failure: null }
  | { readonly address: null; readonly failure: CheckFailure }

export type Lookup = (host: string) => Promise<readonly string[]>

export const systemLookup: Lookup = host =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true, verbatim: true }, (error, addresses: LookupAddress[]) => {
      if (error) reject(error)
      else resolve(addresses.map(entry => entry.address))
    })
  })

const KEEP_MS = 30_000
const KEEP_MAX = 20_000

interface Kept {
  readonly untilMs: number
  readonly addresses: readonly string[]
}

export const createResolver = (vetting: Vetting, nowMs: () => number, ask: Lookup = systemLookup): Resolver => {
  const kept = new Map<string, Kept>()
  const asking = new Map<string, Promise<readonly string[]>>()
  const askOnce = (host: string): Promise<readonly string[]> => {
    const present = asking.get(host)
    if (present !== undefined) return present
    const question = ask(host)
      .then(addresses => {
        if (kept.size >= KEEP_MAX) kept.clear()
        kept.set(host, { untilMs: nowMs() + KEEP_MS, addresses })
        return addresses
      })
      .finally(() => asking.delete(host))
    asking.set(host, question)
    return question
  }
  return {
    resolve: async (host, target, timeoutMs, fresh = false) => {
      const literal = canonicalAddress(host)
      if (literal !== null) return choose([literal], host, target, vetting)
      const known = kept.get(host)
      if (!fresh && known !== undefined && known.untilMs > nowMs())
        return choose(known.addresses, host, target, vetting)
      try {
        const addresses = await within(askOnce(host), timeoutMs)
        if (addresses === null) return none(failure('timeout', fr.resolverSilent(host)))
        return choose(addresses, host, target, vetting)
      } catch (error) {
        return none(lookupFailure(error, host))
      }
    },
  }
}

const none = (reason: CheckFailure): Resolved => ({ address: null, failure: reason })

const choose = (addresses: readonly string[], host: string, target: VettedTarget, vetting: Vetting): Resolved => {
  let refused: CheckFailure | null = null
  for (const text of addresses) {
    const address = canonicalAddress(text) ?? text
    if (target.family !== undefined && isIP(address) !== target.family) continue
    const reason = vetting.refusal(address, target)
    if (reason === null) return { address, failure: null }
    refused ??= reason
  }
  return none(refused ?? failure('dns', fr.nameWithoutAddress(host, target.family)))
}

const lookupFailure = (error: unknown, host: string): CheckFailure => {
  const code = errorCode(error)
  if (code === 'EAI_AGAIN' || code === 'ETIMEOUT') return failure('dns', fr.resolverSilent(host))
  return failure('dns', fr.unknownName(host))
}

/** Null when the promise did not settle in time; a late refusal is not left unhandled. */
const within = <T>(promise: Promise<T>, timeoutMs: number): Promise<T | null> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), timeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
