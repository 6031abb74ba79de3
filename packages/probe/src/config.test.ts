import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadConfig } from './config.ts'

let folder: string
let file: string
const base = () => ({ NARVAL_SERVER: 'http://127.0.0.1:8080', NARVAL_PROBE_DATA: join(folder, 'data') })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'narval-config-'))
  file = join(folder, 'config.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

const faultsOf = (env: NodeJS.ProcessEnv, configFile: string | null = null): readonly string[] => {
  const loaded = loadConfig(env, configFile)
  return 'faults' in loaded ? loaded.faults : []
}
const configOf = (env: NodeJS.ProcessEnv, configFile: string | null = null) => {
  const loaded = loadConfig(env, configFile)
  if ('faults' in loaded) throw new Error(loaded.faults.join('\n'))
  return loaded.config
}

it('every key of the file is read, and the environment wins over it', () => {
  const code = `${'s'.repeat(12)}.0123456789abcdef`
  writeFileSync(join(folder, 'code'), `${code}\n`)
  const settings = {
    server: 'https://narval.exemple.fr',
    data: join(folder, 'd'),
    name: 'Sonde de Lyon',
    enrollCodeFile: join(folder, 'code'),
    loopback: true,
    log: 'warn',
    spoolMegabytes: 100,
  }
  writeFileSync(file, JSON.stringify(settings))
  expect(configOf({}, file)).toMatchObject({
    server: new URL('https://narval.exemple.fr'),
    dataFolder: join(folder, 'd'),
    name: 'Sonde de Lyon',
    enrolmentCode: code,
    loopback: true,
    logLevel: 'warn',
    spoolMaxBytes: 100 * 1024 * 1024,
  })
  const config = configOf({ NARVAL_PROBE_CONFIG: file, NARVAL_PROBE_NAME: 'Autre', NARVAL_PROBE_LOOPBACK: '0' })
  expect(config).toMatchObject({ name: 'Autre', loopback: false, logLevel: 'warn' })
})

it('a fault names the key and the file that it comes from; what the environment says is not blamed on the file', () => {
  writeFileSync(file, JSON.stringify({ server: 'narval', log: 'fort', couleur: 'bleu', name: ['a'] }))
  const faults = faultsOf({ ...base(), NARVAL_SERVER: 'ftp://x' }, file)
  expect(faults.find(fault => fault.includes('NARVAL_LOG'))).toContain(`clé «\u202flog\u202f» du fichier ${file}`)
  expect(faults.find(fault => fault.includes('NARVAL_SERVER'))).not.toContain('clé')
  expect(faults.some(fault => fault.includes('couleur'))).toBe(true)
  expect(faults.some(fault => fault.includes('name doit être'))).toBe(true)
})

it('a file that is missing, or no JSON, is said in words', () => {
  expect(faultsOf(base(), join(folder, 'absent.json'))[0]).toContain('introuvable, ENOENT')
  writeFileSync(file, '{ server: ')
  expect(faultsOf(base(), file)[0]).toContain('pas du JSON correct')
  writeFileSync(file, '[1]')
  expect(faultsOf(base(), file)[0]).toContain('objet JSON')
})

it('an empty or absent file of the code is no code: the probe may be enrolled already', () => {
  writeFileSync(join(folder, 'vide'), '\n')
  for (const name of ['vide', 'absent']) {
    expect(configOf({ ...base(), NARVAL_ENROLL_CODE_FILE: join(folder, name) }).enrolmentCode).toBeNull()
  }
})

it('without a word on the folder, it is the one that systemd keeps for the service, made for its owner alone', () => {
  const state = join(folder, 'state')
  const env = { NARVAL_SERVER: 'http://127.0.0.1:8080', STATE_DIRECTORY: `${state}:/autre` }
  expect(configOf(env).dataFolder).toBe(state)
  expect(statSync(state).mode & 0o777).toBe(0o700)
})

it('certificates that are none, and a folder that is a file, are refused in words', () => {
  writeFileSync(join(folder, 'ca.pem'), 'bonjour')
  const faults = faultsOf({
    ...base(),
    NARVAL_PROBE_DATA: join(folder, 'ca.pem'),
    NARVAL_PROBE_CA: join(folder, 'ca.pem'),
  })
  expect(faults.find(fault => fault.includes('NARVAL_PROBE_CA'))).toContain('pas de certificat PEM')
  expect(faults.find(fault => fault.includes('NARVAL_PROBE_DATA'))).toContain('ce n’est pas un dossier')
})
