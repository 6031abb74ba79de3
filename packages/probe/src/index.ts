import { fileURLToPath } from 'node:url'

export { type CheckContext, createStopper } from './checks/check.ts'
export { createRegistry, type RegisteredChecks } from './checks/registry.ts'
export { systemClock } from './clock.ts'
export { findFping } from './icmp/fping.ts'
export { type EchoPlan, type EchoReport, openPinger, type Pinger } from './icmp/pinger.ts'
export { createResolver } from './resolver.ts'
export { createScheduler } from './scheduler.ts'
export { createVetting } from './vetting.ts'

/** The program's file, for whoever starts a probe as a process of its own. */
export const PROBE_MAIN: string = fileURLToPath(new URL('./main.ts', import.meta.url))
