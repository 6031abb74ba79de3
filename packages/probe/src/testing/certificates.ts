import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestCertificate {
  readonly keyFile: string
  readonly certFile: string
  readonly key: string
  readonly cert: string
}

/** A private authority of a test, made with the machine's openssl, and certificates that it issues. */
export const createAuthority = () => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-ca-'))
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  openssl(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-days',
    '3650',
    '-subj',
    '/CN=Autorite de test',
  )
  let serial = 0
  return {
    caFile: join(folder, 'ca.crt'),
    /** For these names (`DNS:a.test,IP:127.0.0.1`), valid from a day ago for this many days; negative: expired already. */
    issue: (names: string, days: number): TestCertificate => {
      serial += 1
      const [key, request, cert] = [`${serial}.key`, `${serial}.csr`, `${serial}.crt`]
      writeFileSync(join(folder, 'ext'), `subjectAltName=${names}\n`)
      openssl(
        'req',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        key,
        '-out',
        request,
        '-subj',
        `/CN=service ${serial}`,
      )
      // The machine's openssl knows no start date in the past: an expired one is made by a negative number of days.
      openssl(
        'x509',
        '-req',
        '-in',
        request,
        '-CA',
        'ca.crt',
        '-CAkey',
        'ca.key',
        '-set_serial',
        String(serial),
        '-days',
        String(days),
        '-extfile',
        'ext',
        '-out',
        cert,
      )
      const [keyFile, certFile] = [join(folder, key), join(folder, cert)]
      const chain = `${readFileSync(certFile, 'utf8')}${readFileSync(join(folder, 'ca.crt'), 'utf8')}`
      return { keyFile, certFile, key: readFileSync(keyFile, 'utf8'), cert: chain }
    },
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  }
}
export type TestAuthority = ReturnType<typeof createAuthority>
