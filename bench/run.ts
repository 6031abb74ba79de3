import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `npm run bench`: every bench, one after the other; `npm run bench -- samples` only those whose name has the word. */
const folder = fileURLToPath(new URL('.', import.meta.url))
const wanted = process.argv[2] ?? ''
for (const name of readdirSync(folder)
  .filter(file => file.endsWith('.bench.ts') && file.includes(wanted))
  .toSorted()) {
  console.log(`\n== ${name}`)
  spawnSync(process.execPath, [join(folder, name)], { stdio: 'inherit' })
}
