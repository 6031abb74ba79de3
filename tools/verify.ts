import { CHECKS, runSteps } from './steps.ts'

/** `npm run verify`: format, lint, import table, types, dead code, unit tests; two at a time, no network. */
const unit = { name: 'tests unitaires', command: ['npm', 'run', '--silent', 'unit'] as const }
const { failed } = await runSteps([...CHECKS, unit])
process.exit(failed === 0 ? 0 : 1)
