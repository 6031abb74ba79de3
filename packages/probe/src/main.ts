import { loadConfig } from './config.ts'
import { fr } from './fr.ts'
import { createLog } from './log.ts'
import { startProbe } from './probe.ts'

/** Exit codes: 0 stopped when asked, 2 a person must mend something, 3 a fault that a restart may mend. */
const EXIT_REFUSAL = 2
const EXIT_BROKEN = 3
/** A stop that takes longer is cut short. */
const STOP_LIMIT_MS = 4_500

const refuse = (faults: readonly string[]): never => {
  process.stderr.write(`${fr.faults.heading}\n${faults.map(fault => `  - ${fault}\n`).join('')}`)
  process.exit(EXIT_REFUSAL)
}

const main = async (): Promise<void> => {
  const loaded = loadConfig(process.env)
  if ('faults' in loaded) return refuse(loaded.faults)
  const log = createLog(loaded.config.logLevel)
  const crash = (error: unknown): void => {
    log.error({ err: error }, fr.fault)
    process.exit(EXIT_BROKEN)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  const probe = await startProbe(loaded.config, log)
  if ('kind' in probe) return refuse([probe.message])
  log.info({ server: loaded.config.server.origin, data: loaded.config.dataFolder }, fr.started)
  let stopping = false
  const stop = async (code: number): Promise<void> => {
    if (stopping) process.exit(code)
    stopping = true
    setTimeout(() => process.exit(code), STOP_LIMIT_MS).unref()
    await probe.stop()
    log.info(fr.ended)
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info({ signal }, fr.stopping)
      stop(0)
    })
  }
  // Started by the server with a channel: it must not outlive it.
  process.on('disconnect', () => stop(0))
  const fault = await probe.failed
  log.error({ reason: fault.message }, fr.fault)
  if (fault.kind === 'refusal') process.stderr.write(`${fr.faults.heading}\n  - ${fault.message}\n`)
  await stop(fault.kind === 'refusal' ? EXIT_REFUSAL : EXIT_BROKEN)
}

await main()
