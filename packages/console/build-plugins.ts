import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin, Rollup } from 'vite'

const require = createRequire(import.meta.url)

/** The folder of an installed package's module files, and the file of each name that its entry gives. */
interface Barrel {
  readonly folder: string
  readonly files: ReadonlyMap<string, { readonly path: string; readonly name: string }>
}

const packageFolder = (name: string): string => {
  let folder = dirname(require.resolve(name))
  while (!existsSync(join(folder, 'package.json')) || folder.endsWith('/cjs') || folder.endsWith('/esm'))
    folder = dirname(folder)
  return folder
}

/** Names imported then given again (`import { a } from "./x.mjs"` … `export { a }`), or given at once (`export { default as a } from`). */
const readBarrel = (packageName: string, entry: string): Barrel => {
  const file = join(packageFolder(packageName), entry)
  const source = readFileSync(file, 'utf8')
  const files = new Map<string, { path: string; name: string }>()
  for (const [, names = '', from = ''] of source.matchAll(
    /(?:import|export)\s*\{([^}]*)\}\s*from\s*["'](\.[^"']+)["']/g,
  )) {
    for (const { imported, local } of parseNames(names))
      files.set(local, { path: join(dirname(file), from), name: imported })
  }
  return { folder: dirname(file), files }
}

const parseNames = (names: string) =>
  names
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => {
      const [imported = '', local = imported] = part.split(/\s+as\s+/)
      return { imported, local }
    })

const BARRELS = {
  '@mantine/core': 'esm/index.mjs',
  '@tabler/icons-react': 'dist/esm/tabler-icons-react.mjs',
} as const

/**
 * Imports each Mantine component and each icon from its own file, so that a page carries only what it uses: through
 * the packages' one entry the sign-in page weighed half as much again. A name it does not find stays as it was.
 */
export const perFileImports = (): Plugin => {
  const barrels = new Map<string, Barrel>()
  const rewrite = (whole: string, names: string, from: string): string => {
    const barrel = barrels.get(from)
    if (barrel === undefined) return whole
    const lines = parseNames(names).map(({ imported, local }) => {
      const file = barrel.files.get(imported)
      if (file === undefined) return `import { ${imported} as ${local} } from ${JSON.stringify(from)};`
      return `import { ${file.name} as ${local} } from ${JSON.stringify(file.path)};`
    })
    return lines.join(' ')
  }
  return {
    name: 'narval-per-file-imports',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      for (const [name, entry] of Object.entries(BARRELS)) barrels.set(name, readBarrel(name, entry))
    },
    transform(code) {
      if (!code.includes('@mantine/core') && !code.includes('@tabler/icons-react')) return null
      const next = code.replace(
        /import\s*\{([^}]*)\}\s*from\s*["'](@mantine\/core|@tabler\/icons-react)["'];?/g,
        rewrite,
      )
      return next === code ? null : { code: next, map: null }
    },
  }
}

const CLASS_NAMES = /\/@mantine\/core\/esm\/(?:components|utils)\/.*\/(\w+)\.module\.mjs$/
const STYLES = 'virtual:mantine-styles'

/** Brings a Mantine component's style sheet with the module of its class names; during development, all of them at once. */
export const mantineStyles = (): Plugin => {
  let build = true
  return {
    name: 'narval-mantine-styles',
    config: (_, env) => {
      build = env.command === 'build'
    },
    resolveId: id => (id === STYLES ? `\0${STYLES}` : null),
    load: id => {
      if (id !== `\0${STYLES}`) return null
      const sheets = build
        ? ['baseline', 'default-css-variables', 'global'].map(one => `styles/${one}.layer.css`)
        : ['styles.layer.css']
      return [
        ...sheets.map(sheet => `import '@mantine/core/${sheet}'`),
        "import '@mantine/notifications/styles.layer.css'",
      ].join('\n')
    },
    transform(code, id) {
      const component = CLASS_NAMES.exec(id.split('?')[0] ?? '')?.[1]
      if (!build || component === undefined) return null
      const sheet = join(packageFolder('@mantine/core'), 'styles', `${component}.layer.css`)
      return existsSync(sheet) ? { code: `${code}\nimport ${JSON.stringify(sheet)};\n`, map: null } : null
    },
  }
}

interface BudgetOptions {
  /** Ends of the module ids that the page needs beside the entry. */
  readonly pages: readonly string[]
  readonly limitBytes: number
}

/** Adds up what the sign-in page transfers (gzip; fonts as they are) and refuses the build over the limit. */
export const transferBudget = ({ pages, limitBytes }: BudgetOptions): Plugin => ({
  name: 'narval-transfer-budget',
  apply: 'build',
  writeBundle(_, bundle) {
    const parts = partsOf(bundle, pages).map(name => ({ name, bytes: transferred(name, bundle[name]) }))
    const total = parts.reduce((sum, part) => sum + part.bytes, 0)
    const list = parts.map(part => `  ${(part.bytes / 1000).toFixed(1).padStart(7)} kB  ${part.name}`).join('\n')
    this.info(`page de connexion : ${(total / 1000).toFixed(1)} kB transférés (au plus ${limitBytes / 1000})\n${list}`)
    if (total > limitBytes)
      this.error(`la page de connexion transfère ${total} octets, plus que ${limitBytes}\n${list}`)
  },
})

/** The page's file, the entry and the pages' chunks with all that they import at once, and the Latin font. */
const partsOf = (bundle: Rollup.OutputBundle, pages: readonly string[]): string[] => {
  const needed = new Set<string>()
  for (const [name, output] of Object.entries(bundle)) {
    if (output.type === 'asset' && /^index\.html$|inter-latin-wght-normal.*\.woff2$/.test(name)) needed.add(name)
    if (output.type !== 'chunk') continue
    if (output.isEntry || pages.some(page => output.facadeModuleId?.endsWith(page)))
      addWithImports(bundle, name, needed)
  }
  return [...needed]
}

/** A chunk, its style sheets and all that it imports at once. */
const addWithImports = (bundle: Rollup.OutputBundle, name: string, into: Set<string>): void => {
  const chunk = bundle[name]
  if (into.has(name) || chunk?.type !== 'chunk') return
  into.add(name)
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) into.add(sheet)
  for (const imported of chunk.imports) addWithImports(bundle, imported, into)
}

const SECTION = /\/src\/features\/([^/]+)\//

interface SectionOptions {
  /** Ends of the module ids that every signed-in page has loaded already. */
  readonly shell: readonly string[]
  readonly limitBytes: number
  /** Scripts and style sheets of a page on a first visit, the shell's among them. */
  readonly limitFiles: number
}

/**
 * Adds up (gzip) the code that each section alone uses, and refuses one over the limit; beside it, what its heaviest page
 * transfers on a first visit beyond the shell, with the pieces that sections share, and the most files that one of its pages
 * asks for, which is held to a limit too.
 */
export const sectionBudget = ({ shell, limitBytes, limitFiles }: SectionOptions): Plugin => ({
  name: 'narval-section-budget',
  apply: 'build',
  writeBundle(_, bundle) {
    const base = new Set(partsOf(bundle, shell))
    const weigh = (parts: Iterable<string>): number =>
      [...parts].reduce((sum, part) => sum + transferred(part, bundle[part]), 0)
    const users = new Map<string, Set<string>>()
    const heaviest = new Map<string, number>()
    const files = new Map<string, number>()
    for (const [name, output] of Object.entries(bundle)) {
      const section = output.type === 'chunk' ? SECTION.exec(output.facadeModuleId ?? '')?.[1] : undefined
      if (section === undefined) continue
      const needed = new Set<string>()
      addWithImports(bundle, name, needed)
      const added = [...needed].filter(part => !base.has(part))
      files.set(section, Math.max(files.get(section) ?? 0, base.size + added.length))
      heaviest.set(section, Math.max(heaviest.get(section) ?? 0, weigh(added)))
      for (const part of added) users.set(part, (users.get(part) ?? new Set()).add(section))
    }
    const ownOf = (section: string) =>
      [...users].filter(([, by]) => by.size === 1 && by.has(section)).map(([part]) => part)
    const weights = [...heaviest]
      .map(([section, page]) => ({ section, page, own: weigh(ownOf(section)), count: files.get(section) ?? 0 }))
      .toSorted((a, b) => b.own - a.own)
    const kb = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(7)
    const list = weights
      .map(({ section, own, page, count }) => `  ${kb(own)} kB ${kb(page)} kB ${String(count).padStart(4)}  ${section}`)
      .join('\n')
    this.info(
      `code propre de chaque section (au plus ${limitBytes / 1000} kB), sa page la plus lourde, ses fichiers (au plus ${limitFiles})\n${list}`,
    )
    const over = weights.filter(({ own, count }) => own > limitBytes || count > limitFiles)
    if (over.length > 0)
      this.error(
        `au-delà de ${limitBytes} octets ou de ${limitFiles} fichiers : ${over.map(({ section }) => section).join(', ')}\n${list}`,
      )
  },
})

const transferred = (name: string, output: Rollup.OutputAsset | Rollup.OutputChunk | undefined): number => {
  if (output === undefined) return 0
  const content = output.type === 'chunk' ? output.code : output.source
  return name.endsWith('.woff2') ? Buffer.byteLength(content) : gzipSync(content).length
}

const COMPRESSED = /\.(js|css|svg)$/
/** Below this a compressed copy gains nothing. */
const WORTH_BYTES = 1_000

/** Leaves a gzip and a brotli copy beside each text asset, for the server to send as they are. */
export const precompress = (): Plugin => ({
  name: 'narval-precompress',
  apply: 'build',
  writeBundle({ dir = 'dist' }, bundle) {
    for (const [name, output] of Object.entries(bundle)) {
      const content = Buffer.from(output.type === 'chunk' ? output.code : output.source)
      if (!COMPRESSED.test(name) || content.length < WORTH_BYTES) continue
      writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }))
      writeFileSync(
        join(dir, `${name}.br`),
        brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
      )
    }
  },
})

const FONT = /^assets\/inter-latin-wght-normal.*\.woff2$/

/** Asks for the text's font together with the scripts, so that the first paint already has it. */
export const preloadFont = (): Plugin => ({
  name: 'narval-preload-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter(name => FONT.test(name))
        .map(name => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: true },
          injectTo: 'head' as const,
        })),
  },
})
