import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { isEnrolmentCode } from './enrolment.ts'
import { errorCode } from './failure.ts'
import { fr } from './fr.ts'
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
} as const
type Setting = keyof typeof SETTINGS

/** Names the JSON file. */
export const CONFIG_FILE_VARIABLE = 'NARVAL_PROBE_CONFIG'
const SPOOL_MEGABYTES = { min: 10, max: 1_000_000 } as const
const MEBIBYTE = 1024 * 1024

/** The configuration, or every fault of it in French. */
export const loadConfig = (
  env: NodeJS.ProcessEnv,
): { readonly config: Config } | { readonly faults: readonly string[] } => {
  const faults: string[] = []
  const given = readSettings(env, faults)
  const server = serverOf(given.server, faults)
  const dataFolder = folderOf(given.data, faults)
  const config = {
    name: nameOf(given.name, faults),
    enrolmentCode: codeOf(given, faults),
    loopback: flagOf('loopback', given.loopback, faults),
    ca: caOf(given.ca, faults),
    logLevel: levelOf(given.log, faults),
    spoolMaxBytes: spoolBytesOf(given.spoolMegabytes, faults),
  }
  if (faults.length > 0 || server === null || dataFolder === null) return { faults }
  return { config: { ...config, server, dataFolder } }
}

type Given = Partial<Record<Setting, string>>

const isSetting = (key: string): key is Setting => Object.hasOwn(SETTINGS, key)

const readSettings = (env: NodeJS.ProcessEnv, faults: string[]): Given => {
  const given: Given = {}
  const file = env[CONFIG_FILE_VARIABLE]
  if (file !== undefined && file !== '') {
    for (const [key, value] of Object.entries(readFileSettings(file, faults))) {
      if (!isSetting(key)) faults.push(fr.faults.unknownKey(file, key))
      else if (typeof value === 'string' || typeof value === 'number') given[key] = String(value)
      else if (typeof value === 'boolean') given[key] = value ? '1' : '0'
      else faults.push(fr.faults.notText(file, key))
    }
  }
  for (const [key, variable] of Object.entries(SETTINGS)) {
    const value = env[variable]
    if (isSetting(key) && value !== undefined && value !== '') given[key] = value
  }
  return given
}

const readFileSettings = (file: string, faults: string[]): object => {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    faults.push(fr.faults.badConfigFile(file, 'un objet JSON est attendu'))
  } catch (error) {
    faults.push(fr.faults.badConfigFile(file, errorCode(error) || 'ce n’est pas du JSON'))
  }
  return {}
}

const serverOf = (text: string | undefined, faults: string[]): URL | null => {
  if (text === undefined) {
    faults.push(fr.faults.noServer)
    return null
  }
  const url = URL.parse(text)
  const isPlain = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  faults.push(fr.faults.badServer(text))
  return null
}

const folderOf = (text: string | undefined, faults: string[]): string | null => {
  if (text === undefined) {
    faults.push(fr.faults.noData)
    return null
  }
  const folder = resolve(text)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return folder
  } catch (error) {
    faults.push(fr.faults.badData(folder, errorCode(error)))
    return null
  }
}

const nameOf = (text: string | undefined, faults: string[]): string => {
  const name = (text ?? hostname()).trim()
  if (name.length === 0 || name.length > 100 || /\p{Cc}/u.test(name)) faults.push(fr.faults.badName)
  return name
}

const codeOf = (given: Given, faults: string[]): string | null => {
  const code = given.enrollCode ?? codeFileOf(given.enrollCodeFile, faults)
  if (code === null) return null
  if (!isEnrolmentCode(code.trim())) faults.push(fr.faults.badCode)
  return code.trim()
}

/** The file may be gone once the probe is enrolled: no fault then. */
const codeFileOf = (file: string | undefined, faults: string[]): string | null => {
  if (file === undefined) return null
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') faults.push(fr.faults.badCodeFile(file, errorCode(error)))
    return null
  }
}

const flagOf = (setting: Setting, text: string | undefined, faults: string[]): boolean => {
  if (text !== undefined && text !== '0' && text !== '1') faults.push(fr.faults.badFlag(SETTINGS[setting], text))
  return text === '1'
}

const caOf = (file: string | undefined, faults: string[]): string | null => {
  if (file === undefined) return null
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    faults.push(fr.faults.badCa(file, errorCode(error)))
    return null
  }
}

const levelOf = (text: string | undefined, faults: string[]): LogLevel => {
  const level = LOG_LEVELS.find(one => one === (text ?? 'info'))
  if (level === undefined) faults.push(fr.faults.badLevel(text ?? ''))
  return level ?? 'info'
}

const spoolBytesOf = (text: string | undefined, faults: string[]): number => {
  if (text === undefined) return SPOOL_DEFAULTS.maxBytes
  const megabytes = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  const { min, max } = SPOOL_MEGABYTES
  if (!(megabytes >= min && megabytes <= max)) faults.push(fr.faults.badNumber(SETTINGS.spoolMegabytes, text, min, max))
  return megabytes * MEBIBYTE
}
