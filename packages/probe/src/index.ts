export { openPinger, type EchoPlan, type EchoReport, type Pinger } from './icmp/pinger.ts'
export { findFping } from './icmp/fping.ts'
