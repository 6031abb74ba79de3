import { CHECKS, report, runStep } from './steps.ts'

/** `npm run verify`: format, lint, import table, types, dead code, unit tests; two at a time, no network. */
const steps = [...CHECKS, { name: 'tests unitaires', command: ['npm', 'run', '--silent', 'unit'] as const }]
let failed = 0
const next = async (): Promise<void> => {
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const result = await runStep(step)
    report(result)
    if (!result.ok) failed += 1
  }
}
await Promise.all([next(), next()])
process.exit(failed === 0 ? 0 : 1)
