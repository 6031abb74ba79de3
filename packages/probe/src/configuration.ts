import { join } from 'node:path'
import { type OrdersReply, ordersReply, type ProbeCheck, probeCheck, probeOrder } from '@narval/contracts'
import { readOrNull, writeDurably } from './identity.ts'

/** What the probe was last told to do: kept, so that it goes on checking when it restarts while the server is away. */
export interface KeptConfiguration {
  readonly approved: boolean
  readonly revision: string
  readonly checks: readonly ProbeCheck[]
}
export const NO_CONFIGURATION: KeptConfiguration = { approved: false, revision: '', checks: [] }

const fileIn = (folder: string): string => join(folder, 'configuration.json')

/** The kept configuration; none when there is no file or it can't be read, since the server gives it again. */
export const loadConfiguration = (folder: string): KeptConfiguration => {
  try {
    const stored: unknown = JSON.parse(readOrNull(fileIn(folder)) ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('checks' in stored) || !Array.isArray(stored.checks)) {
      return NO_CONFIGURATION
    }
    const revision = 'revision' in stored && typeof stored.revision === 'string' ? stored.revision : ''
    const checks = keepValid(stored.checks, entry => probeCheck.safeParse(entry))
    return { approved: 'approved' in stored && stored.approved === true, revision, checks: checks.kept }
  } catch {
    return NO_CONFIGURATION
  }
}

/**
 * Keeps a configuration for the next start; credentials in it are as the server sealed them (S59). One that came open, from
 * no server of ours, is left out with its check, which the server is asked for again by a revision that is none.
 */
export const saveConfiguration = (folder: string, configuration: KeptConfiguration): void => {
  const checks = configuration.checks.filter(
    ({ credential }) => credential === undefined || credential.kind === 'none' || credential.kind === 'sealed',
  )
  const isWhole = checks.length === configuration.checks.length
  const kept = { ...configuration, checks, revision: isWhole ? configuration.revision : '' }
  writeDurably(fileIn(folder), JSON.stringify(kept))
}

/**
 * Reads an answer to Orders. Checks and orders that this version does not understand are left out and counted, so that a
 * newer server does not silence an older probe (R36). Null when the rest makes no sense.
 */
export const parseOrders = (value: unknown): { readonly reply: OrdersReply; readonly skipped: number } | null => {
  if (typeof value !== 'object' || value === null) return null
  const orders = keepValid(listOf(value, 'orders'), entry => probeOrder.safeParse(entry))
  const given = 'configuration' in value ? value.configuration : null
  if (typeof given !== 'object' || given === null)
    return wrap({ ...value, configuration: null, orders: orders.kept }, 0)
  const checks = keepValid(listOf(given, 'checks'), entry => probeCheck.safeParse(entry))
  return wrap({ ...value, orders: orders.kept, configuration: { ...given, checks: checks.kept } }, checks.skipped)
}

const wrap = (value: unknown, skipped: number) => {
  const parsed = ordersReply.safeParse(value)
  return parsed.success ? { reply: parsed.data, skipped } : null
}

const listOf = (value: object, key: string): readonly unknown[] => {
  const list: unknown = Object.entries(value).find(([name]) => name === key)?.[1]
  return Array.isArray(list) ? list : []
}

type Parsed<T> = { readonly success: true; readonly data: T } | { readonly success: false }

const keepValid = <T>(list: readonly unknown[], parse: (entry: unknown) => Parsed<T>) => {
  const kept: T[] = []
  for (const entry of list) {
    const parsed = parse(entry)
    if (parsed.success) kept.push(parsed.data)
  }
  return { kept, skipped: list.length - kept.length }
}
