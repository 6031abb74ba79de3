import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

export interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

export interface StepResult {
  readonly name: string
  readonly ok: boolean
  readonly seconds: number
  readonly output: string
}

/** Runs one command of the project and keeps what it says. */
export const runStep = (step: Step, env: NodeJS.ProcessEnv = process.env): Promise<StepResult> =>
  new Promise(resolve => {
    const startedMs = performance.now()
    const [program, ...args] = step.command
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', chunk => chunks.push(chunk))
    child.stderr.on('data', chunk => chunks.push(chunk))
    const end = (ok: boolean) =>
      resolve({
        name: step.name,
        ok,
        seconds: (performance.now() - startedMs) / 1_000,
        output: Buffer.concat(chunks).toString(),
      })
    child.on('error', () => end(false))
    child.on('close', code => end(code === 0))
  })

/** Says in one line how a step went, and everything it printed when it failed. */
export const report = (result: StepResult): void => {
  console.log(`${result.ok ? 'ok    ' : 'ÉCHEC '} ${result.name} (${result.seconds.toFixed(1)} s)`)
  if (!result.ok) console.log(result.output)
}

/** Runs these steps, two at a time, and tells each as it ends; how many went well, and how many did not. */
export const runSteps = async (steps: readonly Step[]): Promise<{ passed: number; failed: number }> => {
  const left = [...steps]
  const counts = { passed: 0, failed: 0 }
  const next = async (): Promise<void> => {
    for (let step = left.shift(); step !== undefined; step = left.shift()) {
      const result = await runStep(step)
      report(result)
      if (result.ok) counts.passed += 1
      else counts.failed += 1
    }
  }
  await Promise.all([next(), next()])
  return counts
}

/** What `npm run verify` checks, without the tests. */
export const CHECKS: readonly Step[] = [
  { name: 'format et lint', command: ['npx', 'biome', 'check', '.'] },
  { name: "table d'import", command: ['npm', 'run', '--silent', 'boundaries'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'types'] },
  { name: 'code mort', command: ['npm', 'run', '--silent', 'deadcode'] },
]
