import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run kinds`: the lists of check kinds, made of what lies in the two folders, so that a new kind is its own files and
 * touches no other: its definition (`contracts/src/checks/`) and its runner (`probe/src/checks/`), which is called as the
 * definition is, or `create…Runner` where it keeps something between runs. `tools/check-kinds.test.ts` sees that they are up to date.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const DEFINITIONS = 'packages/contracts/src/checks'
const RUNNERS = 'packages/probe/src/checks'
const NOTE = '/** Made by `npm run kinds`: not to be changed by hand. */\n'

interface Kind {
  readonly kind: string
  /** File without its ending. */
  readonly file: string
  readonly name: string
  readonly rank: number
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const DEFINED = /export const (\w+) = defineCheck\(\{\s*kind: '(\w+)',\s*rank: (\d+),/

const kinds = (): Kind[] =>
  readdirSync(join(root, DEFINITIONS))
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap(file => {
      const [, name, kind, rank] = DEFINED.exec(read(`${DEFINITIONS}/${file}`)) ?? []
      if (name === undefined || kind === undefined) return []
      return [{ kind, name, file: file.replace(/\.ts$/, ''), rank: Number(rank) }]
    })
    .toSorted((a, b) => a.rank - b.rank || (a.kind < b.kind ? -1 : 1))

const imported = (names: readonly { readonly name: string; readonly from: string }[]): string =>
  names
    .toSorted((a, b) => (a.from.replace(/\.ts$/, '') < b.from.replace(/\.ts$/, '') ? -1 : 1))
    .map(({ name, from }) => `import { ${name} } from '${from}'\n`)
    .join('')

const definitionList = (all: readonly Kind[]): string =>
  `${imported(all.map(({ name, file }) => ({ name, from: `./checks/${file}.ts` })))}
${NOTE}export const KINDS = {
${all.map(({ kind, name }) => (kind === name ? `  ${kind},\n` : `  ${kind}: ${name},\n`)).join('')}}
`

const runnerOf = ({ file, name }: Kind): { name: string; from: string; made: string } | null => {
  let text: string
  try {
    text = read(`${RUNNERS}/${file}.ts`)
  } catch {
    return null
  }
  const maker = `create${name.charAt(0).toUpperCase()}${name.slice(1)}Runner`
  const isMade = text.includes(`export const ${maker} `)
  return { name: isMade ? maker : name, from: `./${file}.ts`, made: isMade ? `${maker}()` : name }
}

const runnerList = (all: readonly Kind[]): string => {
  const runners = all.map(one => ({ ...one, runner: runnerOf(one) }))
  const lines = runners.map(({ kind, runner }) => {
    if (runner === null) return `  ${kind}: runsNowhere('${kind}'),\n`
    return runner.made === kind ? `  ${kind},\n` : `  ${kind}: ${runner.made},\n`
  })
  return `import type { CheckKind } from '@narval/contracts'
${imported([
  { name: 'type CheckRunner, runsNowhere', from: './check.ts' },
  ...runners.flatMap(({ runner }) => (runner === null ? [] : [runner])),
])}
${NOTE}export const createRunners = (): Readonly<Record<CheckKind, CheckRunner>> => ({
${lines.join('')}})
`
}

/** Each generated file with what it is to hold. */
export const checkKindLists = (): { readonly path: string; readonly text: string }[] => {
  const all = kinds()
  return [
    { path: 'packages/contracts/src/check-kinds.ts', text: definitionList(all) },
    { path: 'packages/probe/src/checks/runners.ts', text: runnerList(all) },
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { path, text } of checkKindLists()) writeFileSync(join(root, path), text)
