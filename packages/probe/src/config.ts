import { X509Certificate } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { isEnrolmentCode } from './enrolment.ts'
import { errorCode } from './failure.ts'
import { fr } from './fr.ts'
import { frInstall, systemWords } from './fr-install.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'
import { SPOOL_DEFAULTS } from './spool-defaults.ts'

export interface Config {
  readonly server: URL
  readonly dataFolder: string
  readonly name: string
  /** Null when none was given: fine for a probe that is enrolled. */
  readonly enrolmentCode: string | null
  /** Whether checks that ask for it may aim at loopback. */
  readonly loopback: boolean
  /** Certificates in PEM that the server's must come from; null: the system's. */
  readonly ca: string | null
  readonly logLevel: LogLevel
  readonly spoolMaxBytes: number
  /** UDP port of SNMP traps, and UDP and TCP port of syslog; null: not listened on. */
  readonly trapPort: number | null
  readonly syslogPort: number | null
}

/** Names in the JSON file and in the environment, which wins. */
const SETTINGS = {
  server: 'NARVAL_SERVER',
  data: 'NARVAL_PROBE_DATA',
  name: 'NARVAL_PROBE_NAME',
  enrollCode: 'NARVAL_ENROLL_CODE',
  enrollCodeFile: 'NARVAL_ENROLL_CODE_FILE',
  loopback: 'NARVAL_PROBE_LOOPBACK',
  ca: 'NARVAL_PROBE_CA',
  log: 'NARVAL_LOG',
  spoolMegabytes: 'NARVAL_PROBE_SPOOL_MB',
  trapPort: 'NARVAL_PROBE_TRAP_PORT',
  syslogPort: 'NARVAL_PROBE_SYSLOG_PORT',
} as const
type Setting = keyof typeof SETTINGS

/** Names the JSON file. */
export const CONFIG_FILE_VARIABLE = 'NARVAL_PROBE_CONFIG'
const SPOOL_MEGABYTES = { min: 10, max: 1_000_000 } as const
const MEBIBYTE = 1024 * 1024

/** The configuration, or every fault of it in French. `configFile` is what the command line names. */
export const loadConfig = (
  env: NodeJS.ProcessEnv,
  configFile: string | null = null,
): { readonly config: Config } | { readonly faults: readonly string[] } => {
  const given = readSettings(env, configFile ?? env[CONFIG_FILE_VARIABLE] ?? '')
  const { faults } = given
  const server = serverOf(given)
  const dataFolder = folderOf(given, env)
  const config = {
    name: nameOf(given),
    enrolmentCode: codeOf(given),
    loopback: flagOf(given, 'loopback'),
    ca: caOf(given),
    logLevel: levelOf(given),
    spoolMaxBytes: spoolBytesOf(given),
    trapPort: portOf(given, 'trapPort'),
    syslogPort: portOf(given, 'syslogPort'),
  }
  if (faults.length > 0 || server === null || dataFolder === null) return { faults }
  return { config: { ...config, server, dataFolder } }
}

/** What was given, and what is wrong with it: a fault says where its value comes from. */
interface Given {
  readonly texts: Partial<Record<Setting, string>>
  readonly faults: string[]
  readonly blame: (setting: Setting, fault: string) => void
}

const isSetting = (key: string): key is Setting => Object.hasOwn(SETTINGS, key)

const readSettings = (env: NodeJS.ProcessEnv, file: string): Given => {
  const texts: Partial<Record<Setting, string>> = {}
  const faults: string[] = []
  const fromFile = new Set<Setting>()
  for (const [key, value] of Object.entries(file === '' ? {} : readFileSettings(file, faults))) {
    if (!isSetting(key)) faults.push(fr.faults.unknownKey(file, key))
    else if (typeof value === 'object') faults.push(fr.faults.notText(file, key))
    else {
      texts[key] = typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
      fromFile.add(key)
    }
  }
  for (const [key, variable] of Object.entries(SETTINGS)) {
    const value = env[variable]
    if (!isSetting(key) || value === undefined || value === '') continue
    texts[key] = value
    fromFile.delete(key)
  }
  const blame = (setting: Setting, fault: string): void => {
    faults.push(fromFile.has(setting) ? `${fault} ${frInstall.fromFile(file, setting)}` : fault)
  }
  return { texts, faults, blame }
}

const readFileSettings = (file: string, faults: string[]): object => {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    faults.push(fr.faults.badConfigFile(file, frInstall.notObject))
  } catch (error) {
    const code = errorCode(error)
    faults.push(fr.faults.badConfigFile(file, code === '' ? frInstall.notJson : systemWords(code)))
  }
  return {}
}

const serverOf = ({ texts, blame }: Given): URL | null => {
  const text = texts.server
  if (text === undefined) {
    blame('server', fr.faults.noServer)
    return null
  }
  const url = URL.parse(text)
  const isPlain = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  blame('server', fr.faults.badServer(text))
  return null
}

/** The same wherever the probe is started from: another folder would be another probe. */
const defaultFolder = (env: NodeJS.ProcessEnv): string => {
  const state = env.STATE_DIRECTORY?.split(':')[0] ?? ''
  if (state !== '') return state
  if (process.getuid?.() === 0) return '/var/lib/narval-probe'
  return join(env.XDG_STATE_HOME ?? join(homedir(), '.local/state'), 'narval-probe')
}

const folderOf = ({ texts, blame }: Given, env: NodeJS.ProcessEnv): string | null => {
  const folder = resolve(texts.data ?? defaultFolder(env))
  const [readWrite, all] = [constants.R_OK | constants.W_OK, constants.R_OK | constants.W_OK | constants.X_OK]
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, all)
  } catch (error) {
    blame('data', fr.faults.badData(folder, systemWords(errorCode(error))))
    return null
  }
  const foreign = readdirSync(folder)
    .filter(name => /^(?:identity|configuration|spool|probe)\./.test(name))
    .map(name => join(folder, name))
    .find(file => !isAccessible(file, readWrite))
  if (foreign !== undefined) blame('data', frInstall.otherOwner(foreign))
  return foreign === undefined ? folder : null
}

/** A file that is gone meanwhile is no fault. */
const isAccessible = (file: string, mode: number): boolean => {
  try {
    accessSync(file, mode)
    return true
  } catch {
    return !existsSync(file)
  }
}

const nameOf = ({ texts, blame }: Given): string => {
  const name = (texts.name ?? hostname()).trim()
  if (name.length === 0 || name.length > 100 || /\p{Cc}/u.test(name)) blame('name', fr.faults.badName)
  return name
}

/** Null when none is given: a file may be gone or empty once the probe is enrolled. */
const codeOf = ({ texts, blame }: Given): string | null => {
  const code = (texts.enrollCode ?? readGiven(texts.enrollCodeFile, codeFault(blame)) ?? '').trim()
  if (code === '') return null
  if (!isEnrolmentCode(code)) blame(texts.enrollCode === undefined ? 'enrollCodeFile' : 'enrollCode', fr.faults.badCode)
  return code
}

const codeFault =
  (blame: Given['blame']) =>
  (file: string, code: string): void => {
    if (code !== 'ENOENT') blame('enrollCodeFile', fr.faults.badCodeFile(file, systemWords(code)))
  }

/** The text of a file that a setting names; null when it names none or it can't be read. */
const readGiven = (file: string | undefined, fault: (file: string, code: string) => void): string | null => {
  if (file === undefined) return null
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    fault(file, errorCode(error))
    return null
  }
}

const flagOf = ({ texts, blame }: Given, setting: Setting): boolean => {
  const text = texts[setting]
  if (text !== undefined && text !== '0' && text !== '1') blame(setting, fr.faults.badFlag(SETTINGS[setting], text))
  return text === '1'
}

const caOf = ({ texts, blame }: Given): string | null => {
  const text = readGiven(texts.ca, (file, code) => blame('ca', fr.faults.badCa(file, systemWords(code))))
  if (text === null) return null
  try {
    new X509Certificate(text)
  } catch {
    blame('ca', frInstall.notCertificate(texts.ca ?? ''))
  }
  return text
}

const levelOf = ({ texts, blame }: Given): LogLevel => {
  const level = LOG_LEVELS.find(one => one === (texts.log ?? 'info'))
  if (level === undefined) blame('log', fr.faults.badLevel(texts.log ?? ''))
  return level ?? 'info'
}

const spoolBytesOf = ({ texts, blame }: Given): number => {
  const text = texts.spoolMegabytes
  if (text === undefined) return SPOOL_DEFAULTS.maxBytes
  const megabytes = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  const { min, max } = SPOOL_MEGABYTES
  if (!(megabytes >= min && megabytes <= max)) {
    blame('spoolMegabytes', fr.faults.badNumber(SETTINGS.spoolMegabytes, text, min, max))
  }
  return megabytes * MEBIBYTE
}

/** Null for 0, which is what nobody asked for. */
const portOf = ({ texts, blame }: Given, setting: 'trapPort' | 'syslogPort'): number | null => {
  const text = texts[setting] ?? '0'
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port >= 0 && port <= 65_535)) blame(setting, fr.faults.badNumber(SETTINGS[setting], text, 0, 65_535))
  return port === 0 ? null : port
}
