import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findBrowser } from './browser.ts'
import { type PrivatePostgres, startPostgres } from './postgres.ts'
import { CHECKS, report, runStep, runSteps } from './steps.ts'

/**
 * `npm test`: everything. Brings what the tests need (Chromium, a private PostgreSQL where its programs are), builds the
 * console, runs the checks and every test project, and ends with the count. Exit code 0 only when nothing failed.
 */
const counts = { passed: 0, failed: 0, skipped: 0 }
const folder = mkdtempSync(join(tmpdir(), 'narval-tests-'))
let postgres: PrivatePostgres | null = null

const end = (): never => {
  postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
  for (const fault of faults) console.log(`- ${fault}`)
  console.log(
    `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
  )
  process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    counts.failed += 1
    end()
  })
}

/** What went wrong, in a line each: the output of the whole run is too long to search. */
const faults: string[] = []
interface FileResult {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly assertionResults: readonly {
    readonly status: string
    readonly fullName: string
    readonly failureMessages: readonly string[]
  }[]
}
const firstLine = (text: string | undefined): string => (text ?? '').trim().split('\n')[0] ?? ''
const faultsOf = (project: string, files: readonly FileResult[]): string[] =>
  files.flatMap(({ name, status, message, assertionResults }) => {
    const where = `${project} ${relative(process.cwd(), name)}`
    const failed = assertionResults.filter(test => test.status === 'failed')
    const tests = failed.map(test => `${where} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
    const skipped = assertionResults.filter(test => test.status === 'pending' || test.status === 'skipped').length
    if (status === 'failed' && tests.length === 0) tests.push(`${where}: ${firstLine(message)}`)
    return skipped > 0 ? [...tests, `${where}: ${skipped} skipped`] : tests
  })

const countOf = (value: unknown, name: string): number => {
  const found = typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : 0
  return typeof found === 'number' ? found : 0
}

const runProject = async (project: string, env: NodeJS.ProcessEnv): Promise<void> => {
  const file = join(folder, `${project}.json`)
  const result = await runStep(
    {
      name: `tests : ${project}`,
      command: [
        'npm',
        'run',
        '--silent',
        'vitest',
        '--',
        'run',
        '--project',
        project,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
      ],
    },
    env,
  )
  report(result)
  let failed = 0
  try {
    const summary: { testResults: FileResult[] } = JSON.parse(readFileSync(file, 'utf8'))
    faults.push(...faultsOf(project, summary.testResults))
    counts.passed += countOf(summary, 'numPassedTests')
    counts.skipped += countOf(summary, 'numPendingTests') + countOf(summary, 'numTodoTests')
    failed = countOf(summary, 'numFailedTests')
  } catch {
    failed = 1
  }
  // A file that does not even load has no failed test of its own.
  counts.failed += failed === 0 && !result.ok ? 1 : failed
}

const PACKAGES_MS = 900_000

/** Waits for what `.ci/run` installs beside: the file that it names bears the code with which that ended. */
const awaitPackages = async (): Promise<void> => {
  const file = process.env.NARVAL_TEST_AFTER
  if (file === undefined) return
  for (const deadline = performance.now() + PACKAGES_MS; !existsSync(file); await setTimeout(200)) {
    if (performance.now() > deadline) throw new Error('Les paquets du système ne sont pas installés en 15 minutes.')
  }
  const code = readFileSync(file, 'utf8').trim()
  if (code !== '0') throw new Error(`L’installation des paquets du système a échoué (code ${code}).`)
}

try {
  console.log(`Narval, tests complets`)
  const build = { name: 'construction de la console', command: ['npm', 'run', '--silent', 'build'] as const }
  // Each counts as one test.
  const check = async (): Promise<void> => {
    const { passed, failed } = await runSteps([build, ...CHECKS])
    counts.passed += passed
    counts.failed += failed
    if (failed > 0) faults.push('checks: see « ÉCHEC » above')
  }
  const checked = check()
  await awaitPackages()
  const browser = findBrowser()
  postgres = await startPostgres()
  if (postgres === null)
    console.log(
      'PostgreSQL absent : les tests de ce dialecte sont laissés de côté (Debian : apt-get install postgresql).',
    )
  const env = {
    ...process.env,
    NARVAL_TEST_BROWSER: browser,
    ...(postgres === null ? {} : { NARVAL_TEST_POSTGRES: postgres.url }),
  }
  // One after the other as long as each keeps both processors busy: what waits for its turn fails by time limits, and is no faster.
  await checked
  await runProject('unit', env)
  await runProject('limits', env)
  // Integration tests wait more than they work.
  await Promise.all([runProject('e2e', env), runProject('integration', env)])
  await runProject('alone', env)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  counts.failed += 1
}
end()
