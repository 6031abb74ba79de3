import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignRunners, GIVE_BACK_AFTER_MS, type Takeover } from './failover.ts'

const PASS_MS = 30_000
const probes = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 6 })
/** Who is online, and for how many passes: enough of them that hold-offs end. */
const stretch = fc.record({
  online: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 9 }),
  passes: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 9, max: 12 })),
})
const story = fc.array(stretch, { minLength: 1, maxLength: 8 })

interface Step {
  readonly nowMs: number
  readonly online: ReadonlySet<number>
  readonly before: readonly Takeover[]
  readonly after: readonly Takeover[]
}
const walk = (members: readonly number[], parts: readonly { online: number[]; passes: number }[]): Step[] => {
  let takeovers: readonly Takeover[] = []
  let nowMs = 1_000_000
  return parts.flatMap(({ online, passes }) =>
    Array.from({ length: passes }, () => {
      nowMs += PASS_MS
      const before = takeovers
      const set = new Set(online)
      takeovers = assignRunners(members, probe => set.has(probe), takeovers, nowMs)
      return { nowMs, online: set, before, after: takeovers }
    }),
  )
}
const runnerOf = (takeovers: readonly Takeover[], home: number): number =>
  takeovers.find(takeover => takeover.home === home)?.runner ?? home
const always = (check: (step: Step, members: readonly number[], steps: readonly Step[], index: number) => void) =>
  fc.assert(
    fc.property(probes, story, (members, parts) => {
      const steps = walk(members, parts)
      for (const [index, step] of steps.entries()) check(step, members, steps, index)
    }),
    { numRuns: 200 },
  )

describe('whatever probes of a group do', () => {
  it('the scanners of a probe have one runner, a member of its group', () => {
    always(({ after }, members) => {
      expect(new Set(after.map(({ home }) => home)).size).toBe(after.length)
      for (const { home, runner } of after) {
        expect(members).toContain(home)
        expect(members).toContain(runner)
        expect(runner).not.toBe(home)
      }
    })
  })

  it('the runner is online whenever a member is', () => {
    always(({ after, online }, members) => {
      if (!members.some(probe => online.has(probe))) return
      for (const home of members) expect(online).toContain(runnerOf(after, home))
    })
  })

  it('a runner that is online changes only back to a home that has spoken for 5 min', () => {
    always(({ before, after, online }, members, steps, index) => {
      for (const home of members) {
        const [was, is] = [runnerOf(before, home), runnerOf(after, home)]
        if (was === is || !online.has(was)) continue
        expect(is).toBe(home)
        const passes = GIVE_BACK_AFTER_MS / PASS_MS
        for (const past of steps.slice(Math.max(0, index - passes), index + 1)) expect(past.online).toContain(home)
      }
    })
  })

  it('a probe alone with its scanners keeps them, and nothing moves while all are silent', () => {
    always(({ before, after, online }, members) => {
      if (members.some(probe => online.has(probe))) return
      for (const home of members) expect(runnerOf(after, home)).toBe(runnerOf(before, home))
    })
  })

  it('with every member online for 5 min each runs its own', () => {
    always(({ after }, members, steps, index) => {
      const passes = GIVE_BACK_AFTER_MS / PASS_MS + 1
      const last = steps.slice(Math.max(0, index - passes), index + 1)
      if (last.length <= passes || !last.every(({ online }) => members.every(probe => online.has(probe)))) return
      expect(after).toEqual([])
    })
  })

  it('an evaluation that changes nothing gives the same array back', () => {
    always(({ after, online, nowMs }, members) => {
      expect(assignRunners(members, probe => online.has(probe), after, nowMs)).toBe(after)
    })
  })
})

describe('in a group of three', () => {
  const MEMBERS = [1, 2, 3]
  const online = (...probes: number[]) => {
    return (probe: number) => probes.includes(probe)
  }

  it('the next by rank stands in, round', () => {
    expect(assignRunners(MEMBERS, online(2, 3), [], 7)).toEqual([{ home: 1, runner: 2, sinceMs: 7, backSinceMs: null }])
    expect(assignRunners(MEMBERS, online(1, 2), [], 7)).toEqual([{ home: 3, runner: 1, sinceMs: 7, backSinceMs: null }])
  })

  it('when the stand-in dies too, the next one runs the scanners of both', () => {
    const first = assignRunners(MEMBERS, online(2, 3), [], 7)
    expect(assignRunners(MEMBERS, online(3), first, 9)).toEqual([
      { home: 1, runner: 3, sinceMs: 9, backSinceMs: null },
      { home: 2, runner: 3, sinceMs: 9, backSinceMs: null },
    ])
  })

  it('scanners are given back 5 min after the return of their home, and not one ms before', () => {
    const gone = assignRunners(MEMBERS, online(2, 3), [], 0)
    const back = assignRunners(MEMBERS, online(1, 2, 3), gone, 1_000)
    expect(assignRunners(MEMBERS, online(1, 2, 3), back, 1_000 + GIVE_BACK_AFTER_MS - 1)).toBe(back)
    expect(assignRunners(MEMBERS, online(1, 2, 3), back, 1_000 + GIVE_BACK_AFTER_MS)).toEqual([])
  })

  it('they are given back at once when the stand-in falls silent while the home is there', () => {
    const back = assignRunners(MEMBERS, online(1, 2, 3), assignRunners(MEMBERS, online(2, 3), [], 0), 1_000)
    expect(assignRunners(MEMBERS, online(1, 3), back, 2_000).filter(({ home }) => home === 1)).toEqual([])
  })

  it('who leaves the group gets its scanners back, and gives those of others back', () => {
    const held = [{ home: 1, runner: 2, sinceMs: 0, backSinceMs: null }]
    expect(assignRunners([2, 3], online(2, 3), held, 5)).toEqual([])
    expect(assignRunners([1, 3], online(2, 3), held, 5)).toEqual([
      { home: 1, runner: 3, sinceMs: 5, backSinceMs: null },
    ])
  })

  it('a server’s clock set back gives nothing back early, and waits 5 min from there at most', () => {
    const held = [{ home: 1, runner: 2, sinceMs: 0, backSinceMs: 1_000_000 }]
    const [back] = assignRunners([1, 2], online(1, 2), held, 400_000)
    expect(back?.backSinceMs).toBe(400_000)
  })
})
