import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { CheckParameters } from '@narval/contracts'
import { type CheckFailure, type CheckOutcome, connectionFailure, detail, failed, failure } from '../failure.ts'
import { fr } from '../fr.ts'
import { type CertificateFacts, certificateFacts, certificateFailure } from '../tls/certificate.ts'
import { StartTlsRefused, startTls } from '../tls/start-tls.ts'
import { peerRefusal } from '../vetting.ts'
import { type CheckContext, checkRunner } from './check.ts'

/** Numbers of the versions of TLS as the metric bears them. */
const VERSIONS: Readonly<Record<string, number>> = { TLSv1: 10, 'TLSv1.1': 11, 'TLSv1.2': 12, 'TLSv1.3': 13 }

/** The certificate of a service: how long it lasts, whether it is trusted, by which TLS. */
export const tls = checkRunner('tls', async (check, parameters, context) => {
  const startedMs = context.nowMs()
  const { port } = parameters
  const resolved = await context.resolver.resolve(check.address, { loopback: check.loopback, port }, check.timeoutMs)
  if (resolved.failure !== null) return { values: {}, failure: resolved.failure }
  const leftMs = Math.max(1, check.timeoutMs - (context.nowMs() - startedMs))
  const name = parameters.serverName === '' ? check.address : parameters.serverName
  return attempt({ address: resolved.address, name, leftMs, ...parameters, ...limitsOf(check) }, context)
})

const limitsOf = ({ loopback, timeoutMs }: { readonly loopback: boolean; readonly timeoutMs: number }) => ({
  loopback,
  timeoutMs,
})

interface Plan extends CheckParameters<'tls'> {
  readonly address: string
  readonly name: string
  readonly loopback: boolean
  readonly timeoutMs: number
  readonly leftMs: number
}

const attempt = (plan: Plan, context: CheckContext): Promise<CheckOutcome> =>
  new Promise(resolve => {
    const startedMs = context.nowMs()
    const values: Record<string, number> = {}
    const socket = connect({ host: plan.address, port: plan.port, noDelay: true })
    let secured: TLSSocket | null = null
    let ended = false
    const end = (outcome: CheckOutcome): void => {
      if (ended) return
      ended = true
      clearTimeout(deadline)
      forget()
      secured?.destroy()
      socket.destroy()
      resolve(outcome)
    }
    const fail = (error: unknown): void => end({ values, failure: failureOf(error, plan) })
    const forget = context.onStop(() => end(failed('internal', fr.stopped)))
    const deadline = setTimeout(() => end({ values, failure: failure('timeout', late(values, plan)) }), plan.leftMs)
    socket.on('error', fail)
    socket.once('connect', () => {
      values.connect_time = round(context.nowMs() - startedMs)
      const refused = peerRefusal(context.vetting, socket, plan)
      if (refused !== null) end({ values: {}, failure: refused })
      else secure(socket, plan, context, values, one => (secured = one)).then(end, fail)
    })
  })

const round = (ms: number): number => Math.round(ms * 1_000) / 1_000

const secure = async (
  socket: Socket,
  plan: Plan,
  context: CheckContext,
  values: Record<string, number>,
  onSocket: (secured: TLSSocket) => void,
): Promise<CheckOutcome> => {
  await startTls(socket, plan.startTls)
  const startedMs = context.nowMs()
  // Old versions are spoken so that they can be named: nothing is confided to the service.
  const secured = connectTls({
    socket,
    host: plan.name,
    ...(isIP(plan.name) === 0 ? { servername: plan.name } : {}),
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
  })
  onSocket(secured)
  await new Promise<void>((resolve, reject) => {
    secured.once('secureConnect', resolve)
    secured.on('error', reject)
    secured.once('close', () => reject(new StartTlsRefused(failure('protocol', fr.closed))))
  })
  values.handshake_time = round(context.nowMs() - startedMs)
  return judge(secured, plan, values)
}

const judge = (secured: TLSSocket, plan: Plan, values: Record<string, number>): CheckOutcome => {
  const facts = certificateFacts(secured, Date.now())
  if (facts === null) return { values, failure: failure('tls', words.noCertificate) }
  const untrusted = certificateFailure(secured, plan.name)
  const protocol = secured.getProtocol() ?? ''
  const version = VERSIONS[protocol]
  const session = `${protocol}, ${secured.getCipher().standardName}`
  return {
    values: {
      ...values,
      expires_in: facts.expiresInS,
      ...(facts.chainExpiresInS === null ? {} : { chain_expires_in: facts.chainExpiresInS }),
      trusted: untrusted === null ? 1 : 0,
      ...(version === undefined ? {} : { version }),
    },
    failure: failureIn(facts, untrusted, version ?? 0, plan),
    details: () => [
      detail(words.chain, facts.chain.map(one => `${one.subject}\n  ${words.by(one.issuer, one.until)}`).join('\n')),
      detail(words.names, facts.names),
      detail(words.session, session),
    ],
  }
}

const failureIn = (
  { expiresInS }: CertificateFacts,
  untrusted: CheckFailure | null,
  version: number,
  { verify, minVersion }: Plan,
): CheckFailure | null => {
  if (expiresInS < 0) return failure('tls', fr.tls.expired(Math.floor(-expiresInS / 86_400)))
  if (verify && untrusted !== null) return untrusted
  return version < (VERSIONS[minVersion] ?? 0) ? failure('mismatch', words.oldVersion(version, minVersion)) : null
}

const failureOf = (error: unknown, plan: Plan): CheckFailure =>
  error instanceof StartTlsRefused
    ? error.failure
    : connectionFailure(error, `${plan.address}, port ${plan.port}`, plan.timeoutMs)

const late = (values: Readonly<Record<string, number>>, plan: Plan): string =>
  values.connect_time === undefined ? fr.timeout(plan.timeoutMs) : words.handshakeLate(plan.timeoutMs)

const words = {
  noCertificate: 'le service ne présente aucun certificat lisible',
  oldVersion: (version: number, minVersion: string) =>
    `TLS ${version / 10} négocié, au moins ${minVersion.replace('TLSv', 'TLS ')} attendu`,
  handshakeLate: (ms: number) => `connexion ouverte, mais la négociation TLS ne s’est pas terminée : ${fr.timeout(ms)}`,
  chain: 'Chaîne du certificat',
  by: (issuer: string, until: string) => `émis par ${issuer}, valable jusqu’au ${until}`,
  names: 'Noms du certificat',
  session: 'Session',
} as const
