import type { ServiceHealth } from '@narval/contracts'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createServiceRegistry, type ProbeService, type Status } from './service-registry.ts'

const open = () => {
  let nowMs = Date.parse('2026-05-20T10:00:00Z')
  let changes = 0
  let probes: readonly ProbeService[] = []
  const registry = createServiceRegistry({
    version: '1.2.3',
    now: () => nowMs,
    probes: () => probes,
    onChange: () => {
      changes += 1
    },
  })
  return {
    registry,
    /** Looks so many ms later, and says how many changes were told of it. */
    look(afterMs = 1_000): number {
      nowMs += afterMs
      const before = changes
      registry.look()
      return changes - before
    },
    now: () => nowMs,
    setProbes(next: readonly ProbeService[]): void {
      probes = next
    },
  }
}
const fine: Status = { state: 'ok', reason: 'Va bien.' }
const probe = (state: ServiceHealth): ProbeService => ({
  ...{ probeId: 7, name: 'Lyon', version: '2', siteId: null },
  status: { state, reason: state === 'ok' ? 'Mesure et livre.' : 'N’appelle plus.' },
})

describe('the registry of services', () => {
  it('tells a change of state or of reason once, and since when it is so', () => {
    const { registry, look, now } = open()
    let status = fine
    registry.register('judging', { status: () => status })
    expect(look()).toBe(1)
    const sinceMs = now()
    expect([look(), look()]).toEqual([0, 0])
    expect(registry.all()).toMatchObject([{ id: 6, name: 'Jugement des états', sinceMs, version: '1.2.3' }])
    status = { state: 'error', reason: 'Le jugement est en retard.' }
    expect(registry.state('judging')).toBe('ok')
    expect(look()).toBe(1)
    expect([registry.state('judging'), registry.all()[0]?.sinceMs]).toEqual(['error', now()])
    expect(registry.all()[0]?.errors).toEqual([{ atMs: now(), text: 'Le jugement est en retard.', count: 1 }])
    const failedMs = now()
    status = { state: 'error', reason: 'Les états jugés ne peuvent être écrits.' }
    expect(look()).toBe(1)
    expect(registry.all()[0]?.sinceMs).toBe(failedMs)
  })

  it('tells that a probe came, changed and went', () => {
    const { registry, look, setProbes } = open()
    setProbes([probe('ok')])
    expect([look(), look()]).toEqual([1, 0])
    expect(registry.all()).toMatchObject([{ id: 1_007, probe: { id: 7, siteId: null }, version: '2' }])
    setProbes([probe('error')])
    expect([look(), look()]).toEqual([1, 0])
    setProbes([])
    expect([look(), look()]).toEqual([1, 0])
  })

  it('keeps the newest twenty errors, and counts the same again', () => {
    const { registry, look } = open()
    registry.register('api', { status: () => fine })
    for (let index = 1; index <= 25; index++) registry.failed('api', `erreur ${index}`)
    registry.failed('api', 'erreur 25')
    look()
    const errors = registry.all()[0]?.errors ?? []
    expect([errors.length, errors[0]?.text, errors[0]?.count, errors.at(-1)?.text]).toEqual([
      20,
      'erreur 25',
      2,
      'erreur 6',
    ])
  })

  it('hears what a part writes in the log as an error, in French where the fault is known, and writes it all the same', () => {
    const written: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void written.push(line) })
    const { registry, look } = open()
    registry.register('judging', { status: () => fine })
    const own = registry.heard('judging', 'Une étape a échoué', log)
    own.warn('à peine')
    own.error({ err: Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }) }, 'not committed')
    look()
    expect(registry.all()[0]?.errors.map(one => one.text)).toEqual([
      'Une étape a échoué\u202f: le disque est plein (SQLITE_FULL)',
    ])
    expect(written.map(line => JSON.parse(line).msg)).toEqual(['à peine', 'not committed'])
  })

  it('shows what could not be asked as an error until it can again, and what throws as unknown', async () => {
    const { registry, look } = open()
    let fails = true
    const run = async (): Promise<void> => {
      if (fails) throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
    }
    registry.register('database', { refresh: { everyMs: 10, run }, status: () => fine })
    registry.register('clock', {
      status: () => {
        throw new Error('cassée')
      },
    })
    await registry.refresh()
    look()
    const [database, clock] = registry.all()
    expect(database?.status).toMatchObject({ state: 'error', reason: 'la connexion est refusée (ECONNREFUSED).' })
    expect(database?.errors).toHaveLength(1)
    expect(clock?.status).toMatchObject({ state: 'unknown', reason: 'Son état n’a pas pu être lu\u202f: cassée.' })
    fails = false
    await registry.refresh()
    look()
    expect(registry.state('database')).toBe('ok')
    expect(registry.all()[0]?.errors).toHaveLength(1)
  })
})
