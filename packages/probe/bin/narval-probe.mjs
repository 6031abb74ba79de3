#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Starts the probe with the Node that npm brought with it, whatever Node the machine has: this file is all that the
 * machine's runs. The same in a clone, where the sources run, and in an installed package, where the bundle does.
 */
const NODE_MAJOR = 24
const isWindows = process.platform === 'win32'

const findOwnNode = () => {
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const file = join(folder, 'bin', isWindows ? 'node.exe' : 'node')
    return existsSync(file) ? file : null
  } catch {
    return null
  }
}

const bundle = fileURLToPath(new URL('../lib/main.js', import.meta.url))
const main = existsSync(bundle) ? bundle : fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Runs it as a child: a channel ends it with this process, however this one ends. */
const runWith = node => {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  }
  child.on('error', error => {
    process.stderr.write(`Le Node de la sonde (${node}) ne démarre pas\u202f: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 3)))
}

const own = findOwnNode()
if (own !== null) runWith(own)
else if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) await import(pathToFileURL(main).href)
else {
  process.stderr.write(
    `Aucun Node ${NODE_MAJOR} n’accompagne la sonde pour ${process.platform}-${process.arch}\u202f: installez Node ${NODE_MAJOR} ou plus (ici ${process.version}), ou réinstallez-la sans omettre les dépendances optionnelles.\n`,
  )
  process.exit(2)
}
