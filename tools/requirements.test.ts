import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')

interface Line {
  readonly said: string
  readonly file: string
  readonly title: string
}
const ROW = /^\| (?<said>.+) \| `(?<file>[^`]+)` \| (?<title>.+) \|$/
const linesOf = (page: string): Line[] =>
  page.split('\n').flatMap(text => {
    const { said = '', file = '', title = '' } = ROW.exec(text)?.groups ?? {}
    return file === '' ? [] : [{ said, file, title }]
  })

describe('docs/requirements.md', () => {
  const lines = linesOf(read('docs/requirements.md'))

  it('names a test that exists for each line of the requirements', () => {
    const missing = lines.filter(({ file, title }) => {
      const source = read(file)
      // A title stands between quotes; one with an apostrophe of its own may be escaped.
      return !["'", '"', '`'].some(quote => source.includes(`${quote}${title}${quote}`))
    })
    expect(missing.map(({ said, file, title }) => `${said}: ${file} › ${title}`)).toEqual([])
  })

  it('goes through all of §2 to §9', () => {
    const sections = [...read('docs/requirements.md').matchAll(/^## (\d)\./gm)].map(match => match[1])
    expect(sections).toEqual(['2', '3', '4', '5', '6', '7', '8', '9'])
    expect(lines.length).toBeGreaterThan(60)
  })
})
