import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { noticesOf } from './notices.ts'

/**
 * `npm run pack:probe [-- folder]`: makes `narval-probe-<version>.tgz`, which `npm i` installs in an empty folder of any
 * machine with Node 20 or more. Everything is bundled but what holds machine code, which stays an ordinary dependency.
 */
const PROBE = fileURLToPath(new URL('..', import.meta.url))
const ROOT = resolve(PROBE, '../..')
const NATIVE = ['better-sqlite3', 'koffi']
/** A file that becomes a thread of its own: `new URL('./file.ts', import.meta.url)`. */
const THREAD = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g

const description: {
  readonly version: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
} = JSON.parse(readFileSync(join(PROBE, 'package.json'), 'utf8'))

/** Threads' files are found in the sources, so that a new one needs no word here. */
const findThreads = (): string[] =>
  globSync('src/**/*.ts', { cwd: PROBE, exclude: ['**/*.test.ts', '**/testing/**', '**/index.ts'] }).flatMap(file =>
    [...readFileSync(join(PROBE, file), 'utf8').matchAll(THREAD)].map(([, name = '']) =>
      join(PROBE, dirname(file), `${name}.ts`),
    ),
  )

/** Threads are bundles beside the main one: their address ends with another letter. */
const addressThreads: Plugin = {
  name: 'address-threads',
  enforce: 'pre',
  transform: code => {
    const addressed = code.replaceAll(THREAD, "new URL('./$1.js', import.meta.url)")
    return addressed === code ? null : addressed
  },
}

/** Bundles the program and its threads; gives the files of other people's that went in. */
const bundle = async (folder: string): Promise<string[]> => {
  const modules = new Set<string>()
  const inputs = [join(PROBE, 'src/main.ts'), ...findThreads()]
  await build({
    configFile: false,
    root: PROBE,
    logLevel: 'warn',
    plugins: [
      addressThreads,
      {
        name: 'note-modules',
        generateBundle: (_, bundles) => {
          for (const chunk of Object.values(bundles)) {
            if (chunk.type === 'chunk') for (const id of chunk.moduleIds) modules.add(id)
          }
        },
      },
    ],
    ssr: { noExternal: true, external: NATIVE },
    build: {
      ssr: true,
      target: 'node24',
      minify: false,
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: Object.fromEntries(inputs.map(file => [basename(file, '.ts'), file])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', format: 'esm' },
      },
    },
  })
  return [...modules].filter(id => id.includes('/node_modules/'))
}

const describe = () => ({
  name: 'narval-probe',
  version: description.version,
  description: 'Sonde de Narval : interroge les équipements de son site et envoie les mesures au serveur',
  license: description.license,
  type: 'module',
  bin: { 'narval-probe': 'bin/narval-probe.mjs' },
  engines: { node: '>=20' },
  files: ['bin', 'lib', 'deploy', 'LICENCES-TIERCES.txt'],
  dependencies: Object.fromEntries(NATIVE.map(name => [name, description.dependencies[name]])),
  optionalDependencies: description.optionalDependencies,
})

const pack = async (output: string): Promise<string> => {
  mkdirSync(output, { recursive: true })
  const stage = mkdtempSync(join(output, '.pack-'))
  try {
    writeFileSync(join(stage, 'LICENCES-TIERCES.txt'), noticesOf(await bundle(join(stage, 'lib'))))
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(describe(), null, 2)}\n`)
    for (const folder of ['bin', 'deploy']) cpSync(join(PROBE, folder), join(stage, folder), { recursive: true })
    cpSync(join(PROBE, 'deploy/README.md'), join(stage, 'README.md'))
    cpSync(join(ROOT, 'LICENSE'), join(stage, 'LICENSE'))
    const packed = spawnSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', output], {
      cwd: stage,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (packed.status !== 0) throw new Error('npm pack a échoué')
    return join(output, packed.stdout.trim())
  } finally {
    rmSync(stage, { recursive: true })
  }
}

const file = await pack(resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? join(PROBE, 'dist')))
process.stdout.write(`${file}\n`)
