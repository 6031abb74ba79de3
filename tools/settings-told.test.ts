import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
/** Set by `npm run demo` itself. */
const INTERNAL = 'NARVAL_DEMO'

it.each(['README.md', 'docs/guide/installer.md'])('%s names every variable that the server reads', page => {
  const known = [...read('packages/server/src/config.ts').matchAll(/^ {2}'(NARVAL_\w+)',$/gm)].map(match => match[1])
  const variables = [...known, 'DATABASE_URL'].filter(name => name !== INTERNAL)
  expect(variables.length).toBeGreaterThan(15)
  expect(variables.filter(name => !read(page).includes(`\`${name}\``))).toEqual([])
})
