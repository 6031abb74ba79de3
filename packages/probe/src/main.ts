import { parseCommand } from './command-line.ts'
import { loadConfig } from './config.ts'
import { fr } from './fr.ts'
import { frInstall } from './fr-install.ts'
import { createLog } from './log.ts'
import { probeVersion, startProbe } from './probe.ts'
import { examine, type Finding } from './self-check.ts'

/** Exit codes: 0 stopped when asked, 2 a person must mend something, 3 a fault that a restart may mend. */
const EXIT_REFUSAL = 2
const EXIT_BROKEN = 3
/** A stop that takes longer is cut short. */
const STOP_LIMIT_MS = 4_500
/** The same signal comes twice when a terminal or systemd sends it to the launcher too. */
const SAME_SIGNAL_MS = 500

const refuse = (faults: readonly string[]): never => {
  process.stderr.write(`${fr.faults.heading}\n${faults.map(fault => `  - ${fault}\n`).join('')}`)
  process.exit(EXIT_REFUSAL)
}

const run = async (configFile: string | null): Promise<void> => {
  const loaded = loadConfig(process.env, configFile)
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
  let stoppingMs: number | null = null
  const stop = async (code: number): Promise<void> => {
    if (stoppingMs !== null) {
      if (performance.now() - stoppingMs > SAME_SIGNAL_MS) process.exit(code)
      return
    }
    stoppingMs = performance.now()
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
  // Started by the server or the launcher with a channel: it must not outlive it.
  process.on('disconnect', () => stop(0))
  const fault = await probe.failed
  log.error({ reason: fault.message }, fr.fault)
  if (fault.kind === 'refusal') process.stderr.write(`${fr.faults.heading}\n  - ${fault.message}\n`)
  await stop(fault.kind === 'refusal' ? EXIT_REFUSAL : EXIT_BROKEN)
}

/** Says what was found and ends: 0 when the probe can do its work, 1 otherwise. */
const check = async (configFile: string | null): Promise<never> => {
  const { check: words } = frInstall
  const loaded = loadConfig(process.env, configFile)
  const findings: readonly Finding[] =
    'faults' in loaded ? loaded.faults.map(text => ({ level: 'fault', text })) : await examine(loaded.config)
  const faults = findings.filter(({ level }) => level === 'fault').length
  const lines = findings.map(({ level, text }) => `  ${words.words[level]} ${text}`)
  const verdict = faults === 0 ? words.good : words.bad(faults)
  process.stdout.write(`${[words.title(probeVersion()), ...lines, verdict].join('\n')}\n`)
  process.exit(faults === 0 ? 0 : 1)
}

const main = async (): Promise<void> => {
  const command = parseCommand(process.argv.slice(2))
  switch (command.kind) {
    case 'help':
      process.stdout.write(frInstall.help)
      return
    case 'version':
      process.stdout.write(`${probeVersion()}\n`)
      return
    case 'wrong':
      process.stderr.write(`${frInstall.wrongArguments(command.text)}\n`)
      process.exit(EXIT_REFUSAL)
      break
    case 'check':
      return check(command.configFile)
    case 'run':
      return run(command.configFile)
  }
}

await main()
