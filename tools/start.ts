import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { report, ROOT as root, runStep } from './steps.ts'

/** `npm start` and `npm run demo`: builds the console when its sources are newer than what is built, then runs the server. */
const isDemo = process.argv.includes('--demo')

const newest = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0)

const isBuilt = (): boolean => {
  const page = join(root, 'packages/console/dist/index.html')
  if (!existsSync(page)) return false
  const sources = [
    'packages/console/src',
    'packages/console/public',
    'packages/contracts/src',
    'packages/engine/src',
  ].map(folder => join(root, folder))
  return Math.max(...sources.filter(existsSync).map(newest)) < statSync(page).mtimeMs
}

if (!isBuilt()) {
  console.log('Construction de la console…')
  const built = await runStep({ name: 'construction de la console', command: ['npm', 'run', '--silent', 'build'] })
  report(built)
  if (!built.ok) process.exit(1)
}
const main = join(root, 'packages/server/src/main.ts')
const env = isDemo ? { NARVAL_DATA: join(root, 'data-demo'), ...process.env, NARVAL_DEMO: 'on' } : process.env
/** Left to itself, Node keeps 134 MB for young objects on a large machine: 16 MB cost nothing measurable and halve the server. */
const MEMORY = '--max-semi-space-size=16'
const server = spawn(process.execPath, [MEMORY, main], { cwd: process.env.INIT_CWD ?? root, stdio: 'inherit', env })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)))
