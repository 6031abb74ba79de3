import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, type Plugin, type Rollup } from 'vite'
import { readGuide } from './read-guide.ts'
import { drawMissing, drawPage } from './template.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
/** Below this a compressed copy gains nothing. */
const WORTH_BYTES = 1_000
const COMPRESSED = /\.(html|js|css|svg)$/

/** Script and style of the guide's pages: bundled apart, so that no page of the console carries any of it. */
const bundleAssets = async (): Promise<Map<string, string | Uint8Array>> => {
  const built = await build({
    configFile: false,
    root: HERE,
    base: './',
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      // In one sheet of its own: with a script of this form it would be written into the script.
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      modulePreload: false,
      target: ['chrome120', 'firefox121', 'safari17'],
      rollupOptions: {
        input: { guide: join(HERE, 'entry.ts') },
        output: { format: 'iife', entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
      },
    },
  })
  const outputs: readonly Rollup.RollupOutput[] = Array.isArray(built) ? built : 'output' in built ? [built] : []
  return new Map(
    outputs.flatMap(({ output }) =>
      output.map((file): [string, string | Uint8Array] => [
        file.fileName,
        file.type === 'chunk' ? file.code : file.source,
      ]),
    ),
  )
}

const writeFile = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  const bytes = Buffer.from(content)
  if (!COMPRESSED.test(path) || bytes.length < WORTH_BYTES) return
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${path}.br`, brotliCompressSync(bytes))
}

/** Writes the guide as files into a folder; returns what is wrong with it, in French. */
export const writeGuide = async (folder: string, sources: string, pictures: string): Promise<readonly string[]> => {
  const { pages, index, faults } = readGuide(sources, pictures)
  for (const page of pages.values()) writeFile(join(folder, `${page.slug}.html`), drawPage(page, pages))
  writeFile(join(folder, '404.html'), drawMissing(pages))
  writeFile(join(folder, 'search-index.js'), `narvalGuide=${JSON.stringify(index)}`)
  for (const [name, content] of await bundleAssets()) writeFile(join(folder, name), content)
  writeFile(join(folder, 'logo.svg'), readFileSync(join(HERE, '../public/assets/logo.svg')))
  const used = new Set([...pages.values()].flatMap(page => page.pictures.map(({ to }) => to)))
  for (const name of readdirSync(pictures))
    if (used.has(`images/${name.replace(/-sombre(?=\.\w+$)/, '')}`))
      writeFile(join(folder, 'images', name), readFileSync(join(pictures, name)))
  return faults
}

/**
 * Leaves the guide as files under `guide/` of the build: a page for each of `sources`, its pictures, its search. They link
 * to one another by relative addresses: the folder can be read without a server too.
 */
export const guidePages = (sources: string, pictures: string): Plugin => ({
  name: 'narval-guide',
  apply: 'build',
  async writeBundle({ dir = 'dist' }) {
    for (const fault of await writeGuide(join(dir, 'guide'), sources, pictures)) this.warn(fault)
  },
})
