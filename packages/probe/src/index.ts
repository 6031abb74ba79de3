import { fileURLToPath } from 'node:url'

export { findFping } from './icmp/fping.ts'
export { type EchoPlan, type EchoReport, openPinger, type Pinger } from './icmp/pinger.ts'

/** The program's file, for whoever starts a probe as a process of its own. */
export const PROBE_MAIN: string = fileURLToPath(new URL('./main.ts', import.meta.url))
