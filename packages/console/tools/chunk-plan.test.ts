import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PlannedFile, planChunks } from './chunk-plan.ts'

const KB = 1_000
const file = (imports: readonly string[], size: number = KB): PlannedFile => ({ imports, size })
/** A product of four pages, whose main file and shell are there, and these files beside. */
const plan = (pages: Record<string, readonly string[]>, shared: Record<string, PlannedFile>) =>
  planChunks({
    files: new Map([
      ['main', file(['base'])],
      ['base', file([])],
      ['shell', file(['bars', 'base'])],
      ['bars', file(['base'])],
      ['login', file(['base'])],
      ...Object.entries(pages).map(([name, imports]) => [name, file(imports)] as const),
      ...Object.entries(shared),
    ]),
    ...{ main: 'main', shell: 'shell', apart: ['login'], pages: Object.keys(pages) },
  })

describe('which files of the console become one', () => {
  it('small ones that the same pages need do; the main file’s and the shell’s stay apart from theirs', () => {
    const found = plan(
      { hosts: ['rows', 'field', 'bars'], sites: ['rows', 'field'] },
      { rows: file([]), field: file([]) },
    )
    expect(found.get('rows')).toBe(found.get('field'))
    expect(new Set([found.get('base'), found.get('bars'), found.get('rows')]).size).toBe(3)
  })

  it('what is loaded on demand stays a file of its own', () => {
    const found = plan({ hosts: ['sites', 'rows'], sites: ['rows'] }, { rows: file([]) })
    expect([...found.keys()].toSorted()).toEqual(['bars', 'base', 'rows'])
  })

  it('one that a page would load in vain does not, unless it is small beside the requests saved', () => {
    const pages = { hosts: ['rows', 'chart'], sites: ['rows'], users: ['rows'] }
    const big = plan(pages, { rows: file([]), chart: file([], 100 * KB) })
    expect(big.get('chart')).not.toBe(big.get('rows'))
    const small = plan(pages, { rows: file([]), chart: file([], KB) })
    expect(small.get('chart')).toBe(small.get('rows'))
  })

  it('no two ever need each other, whatever the product: one would run before what it needs', () => {
    fc.assert(
      fc.property(products, ({ files, pages }) => {
        const found = plan(pages, files)
        const homeOf = (name: string): string => found.get(name) ?? name
        const needs = new Map<string, Set<string>>()
        for (const [name, { imports }] of Object.entries(files)) {
          const own = needs.get(homeOf(name)) ?? new Set()
          for (const one of imports.map(homeOf)) if (one !== homeOf(name)) own.add(one)
          needs.set(homeOf(name), own)
        }
        const reaches = (from: string, to: string, seen: Set<string> = new Set()): boolean =>
          [...(needs.get(from) ?? [])].some(one => one === to || (!seen.has(one) && reaches(one, to, seen.add(one))))
        expect([...needs.keys()].filter(one => reaches(one, one))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

/** Twelve files, each of which needs some of those after it, and eight pages. */
const products = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 10, max: 9_000 }), fc.array(fc.nat(11), { maxLength: 3 })), {
      ...{ minLength: 12, maxLength: 12 },
    }),
    fc.array(fc.array(fc.nat(11), { minLength: 1, maxLength: 4 }), { minLength: 8, maxLength: 8 }),
  )
  .map(([drawn, wanted]) => ({
    files: Object.fromEntries(
      drawn.map(([size, imports], at) => [
        `f${at}`,
        file(
          imports.filter(one => one > at).map(one => `f${one}`),
          size,
        ),
      ]),
    ),
    pages: Object.fromEntries(wanted.map((imports, at) => [`p${at}`, imports.map(one => `f${one}`)])),
  }))
