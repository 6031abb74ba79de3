import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { checkKindLists } from './check-kinds.ts'

it('the lists of check kinds hold what lies in their folders; else: npm run kinds', () => {
  for (const { path, text } of checkKindLists())
    expect(readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8'), path).toBe(text)
})
