import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Runs a file, or a tool of the project, with the project's own Node, whatever Node the machine has: this file is all that
 * the machine's runs. Not through `node_modules/.bin/node`, which npm 10 takes away with the packages of other platforms.
 *   node tools/node.mjs file.ts …     node tools/node.mjs vitest run …
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const isWindows = process.platform === 'win32'
const system = isWindows ? 'win' : process.platform
const own = join(root, 'node_modules', `node-${system}-${process.arch}`, 'bin', isWindows ? 'node.exe' : 'node')
const major = Number(process.versions.node.split('.')[0])
if (!existsSync(own) && major < 24) {
  console.error(
    `Narval n'apporte pas de Node pour ${process.platform}-${process.arch} : installez Node 24 ou plus (ici ${process.version}), ou relancez npm ci sans omettre les dépendances optionnelles.`,
  )
  process.exit(1)
}
const node = existsSync(own) ? own : process.execPath

const [first = '', ...rest] = process.argv.slice(2)
const isTool = /^[a-z][\w-]*$/.test(first)
const path = [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter)
// What was compiled once is not compiled again at the next start, nor in each worker.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'narval')
const child = spawn(isTool ? first : node, isTool ? rest : [first, ...rest].filter(arg => arg !== ''), {
  stdio: 'inherit',
  env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled },
  shell: isTool && isWindows,
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', error => {
  console.error(error.message)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)))
