import { resolve } from 'node:path'
import { PROBE_OFFLINE_AFTER_MS } from '@narval/engine'
import { parseKeys, type SecretKeySource } from './secret-keys.ts'

/** What the environment says, checked whole before anything starts. */
export interface Config {
  readonly dataFolder: string
  readonly host: string
  readonly port: number
  readonly adminLogin: string | null
  readonly adminPassword: string | null
  readonly loginRate: boolean
  readonly databaseUrl: string | null
  readonly tls: { readonly certificate: string; readonly key: string } | null
  readonly trustProxy: boolean
  readonly publicUrl: string | null
  readonly localProbe: boolean
  /** False: nobody is told of anything, as of a copy that is tried beside the server. */
  readonly tells: boolean
  /** UDP and TCP ports on which the local probe receives traps and syslog; 0: it does not. */
  readonly localProbePorts: { readonly trap: number; readonly syslog: number }
  /** A probe that says nothing for so long is offline. */
  readonly silentAfterMs: number
  /** Where the keys are that seal secrets in the database. */
  readonly secretKeys: SecretKeySource
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug'
  /** Hosts of the demonstration fleet; 0: no demonstration. */
  readonly demoHosts: number
}

/** The environment asks for what cannot be: every fault is named. */
export class WrongConfiguration extends Error {
  override readonly name = 'WrongConfiguration'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug'] as const
const KNOWN = new Set([
  'NARVAL_DATA',
  'NARVAL_HOST',
  'NARVAL_PORT',
  'NARVAL_ADMIN_LOGIN',
  'NARVAL_ADMIN_PASSWORD',
  'NARVAL_LOGIN_RATE',
  'NARVAL_TLS_CERT',
  'NARVAL_TLS_KEY',
  'NARVAL_TRUST_PROXY',
  'NARVAL_PUBLIC_URL',
  'NARVAL_LOCAL_PROBE',
  'NARVAL_NOTIFICATIONS',
  'NARVAL_SILENCE_SECONDS',
  'NARVAL_PROBE_TRAP_PORT',
  'NARVAL_PROBE_SYSLOG_PORT',
  'NARVAL_LOG',
  'NARVAL_SECRETS_KEY',
  'NARVAL_SECRETS_KEY_FILE',
  'NARVAL_DEMO',
  'NARVAL_DEMO_HOSTS',
])
/** Belong to the probe, to tests and to benches. */
const OTHERS = /^NARVAL_(PROBE|SERVER|ENROLL|TEST|BENCH|FAIL)/

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the configuration; throws `WrongConfiguration` with every fault in French. */
export const readConfig = (env: Environment): Config => {
  const faults: string[] = []
  const text = (name: string): string | null => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name)
    if (value === null) return fallback
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= min && number <= max) return number
    faults.push(`${name} vaut « ${value} » : un nombre entier de ${min} à ${max} est attendu.`)
    return fallback
  }
  const flag = (name: string, fallback: boolean): boolean => {
    const value = text(name)?.toLowerCase()
    if (value === undefined) return fallback
    if (['on', 'true', '1'].includes(value)) return true
    if (['off', 'false', '0'].includes(value)) return false
    faults.push(`${name} vaut « ${value} » : on ou off est attendu.`)
    return fallback
  }
  const unknown = Object.keys(env).filter(name => name.startsWith('NARVAL_') && !KNOWN.has(name) && !OTHERS.test(name))
  for (const name of unknown) faults.push(`${name} n'est pas une variable de Narval.`)
  const logLevel = LEVELS.find(level => level === (text('NARVAL_LOG') ?? 'info'))
  if (logLevel === undefined)
    faults.push(`NARVAL_LOG vaut « ${text('NARVAL_LOG') ?? ''} » : ${LEVELS.join(', ')} sont possibles.`)
  const tls = tlsOf(text('NARVAL_TLS_CERT'), text('NARVAL_TLS_KEY'), faults)
  const config: Config = {
    dataFolder: resolve(text('NARVAL_DATA') ?? 'data'),
    host: text('NARVAL_HOST') ?? '0.0.0.0',
    port: integer('NARVAL_PORT', 8080, 0, 65_535),
    ...adminOf(text('NARVAL_ADMIN_LOGIN'), text('NARVAL_ADMIN_PASSWORD'), faults),
    loginRate: flag('NARVAL_LOGIN_RATE', true),
    databaseUrl: urlOf('DATABASE_URL', text('DATABASE_URL'), /^postgres(ql)?:$/, faults),
    tls,
    trustProxy: flag('NARVAL_TRUST_PROXY', false),
    publicUrl: urlOf('NARVAL_PUBLIC_URL', text('NARVAL_PUBLIC_URL'), /^https?:$/, faults),
    localProbe: flag('NARVAL_LOCAL_PROBE', true),
    tells: flag('NARVAL_NOTIFICATIONS', true),
    localProbePorts: {
      trap: integer('NARVAL_PROBE_TRAP_PORT', 0, 0, 65_535),
      syslog: integer('NARVAL_PROBE_SYSLOG_PORT', 0, 0, 65_535),
    },
    // A probe without results says that it is there every 10 s.
    silentAfterMs: integer('NARVAL_SILENCE_SECONDS', PROBE_OFFLINE_AFTER_MS / 1_000, 15, 3_600) * 1_000,
    secretKeys: secretKeysOf(text('NARVAL_SECRETS_KEY'), text('NARVAL_SECRETS_KEY_FILE'), faults),
    logLevel: logLevel ?? 'info',
    demoHosts: flag('NARVAL_DEMO', false) ? integer('NARVAL_DEMO_HOSTS', 600, 1, 20_000) : 0,
  }
  if (faults.length > 0) throw new WrongConfiguration(faults)
  return config
}

const adminOf = (login: string | null, password: string | null, faults: string[]) => {
  if (login !== null && !/^[\p{L}\p{N}._@-]{1,64}$/u.test(login))
    faults.push('NARVAL_ADMIN_LOGIN : lettres, chiffres et . _ @ - seulement, 64 au plus.')
  if (password !== null && login === null) faults.push('NARVAL_ADMIN_PASSWORD demande NARVAL_ADMIN_LOGIN.')
  if (password !== null && password.length < 8) faults.push('NARVAL_ADMIN_PASSWORD doit avoir au moins 8 caractères.')
  return { adminLogin: login, adminPassword: password }
}

const tlsOf = (certificate: string | null, key: string | null, faults: string[]): Config['tls'] => {
  if (certificate !== null && key !== null) return { certificate, key }
  if (certificate !== null || key !== null) faults.push('NARVAL_TLS_CERT et NARVAL_TLS_KEY vont ensemble.')
  return null
}

/** Never says what was given: it may be a key with a letter missing. */
const secretKeysOf = (given: string | null, file: string | null, faults: string[]): SecretKeySource => {
  if (given !== null && file !== null)
    faults.push("NARVAL_SECRETS_KEY et NARVAL_SECRETS_KEY_FILE s'excluent : gardez l'une des deux.")
  if (file !== null) return { kind: 'file', path: resolve(file) }
  if (given === null) return { kind: 'folder' }
  const keys = parseKeys(given)
  if (keys !== null) return { kind: 'given', keys }
  faults.push(
    'NARVAL_SECRETS_KEY : une clé de 32 octets en base64 est attendue (ou plusieurs, la nouvelle la première).',
  )
  return { kind: 'folder' }
}

const urlOf = (name: string, value: string | null, protocol: RegExp, faults: string[]): string | null => {
  if (value === null) return null
  if (URL.canParse(value) && protocol.test(new URL(value).protocol)) return value
  faults.push(`${name} n'est pas une adresse acceptée.`)
  return null
}
