import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { CheckParameters, ProbeCheck } from '@narval/contracts'
import { type CheckFailure, type CheckOutcome, detail, errorCode, failed, failure } from '../failure.ts'
import { duration, fr } from '../fr.ts'
import { groupsOf } from '../vetting.ts'
import { type CheckContext, checkRunner } from './check.ts'

type Parameters = CheckParameters<'dns'>

/** A question to a name server: the time of its answer, and whether it says what is expected. */
export const dns = checkRunner('dns', async (check, parameters, context) => {
  const startedMs = context.nowMs()
  const server = await serverOf(check, parameters, context)
  if (server.failure !== null) return { values: {}, failure: server.failure }
  const leftMs = Math.max(1, Math.ceil(check.timeoutMs - (context.nowMs() - startedMs)))
  // The library's own limit starts anew with each try and each server: the timer below is what ends the run.
  const resolver = new Resolver({ timeout: leftMs, tries: 1 })
  if (server.address !== null) resolver.setServers([server.address])
  let [timedOut, stopped] = [false, false]
  const deadline = setTimeout(() => {
    timedOut = true
    resolver.cancel()
  }, leftMs)
  const forget = context.onStop(() => {
    stopped = true
    resolver.cancel()
  })
  const askedMs = context.nowMs()
  try {
    const records = await ask(resolver, parameters)
    return judge(records, parameters, context.nowMs() - askedMs)
  } catch (error) {
    if (stopped) return failed('internal', fr.stopped)
    return { values: {}, failure: dnsFailure(timedOut ? 'ETIMEOUT' : errorCode(error), parameters, check.timeoutMs) }
  } finally {
    clearTimeout(deadline)
    forget()
  }
})

type Server = { readonly address: string | null; readonly failure: CheckFailure | null }

/** The name server as c-ares writes it, vetted; null: those of the machine. */
const serverOf = async (check: ProbeCheck, parameters: Parameters, context: CheckContext): Promise<Server> => {
  if (parameters.server === 'probe') return { address: null, failure: null }
  const { port } = parameters
  const target = { loopback: check.loopback, port }
  const resolved = await context.resolver.resolve(check.address, target, check.timeoutMs)
  if (resolved.failure !== null) return resolved
  const { address } = resolved
  return { address: isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`, failure: null }
}

interface Answer {
  /** As people write a zone: `10 mail.exemple.fr`. */
  readonly texts: readonly string[]
  readonly serial: number | null
}

const ask = async (resolver: Resolver, { name, type }: Parameters): Promise<Answer> => {
  switch (type) {
    case 'A':
      return plain(await resolver.resolve4(name))
    case 'AAAA':
      return plain(await resolver.resolve6(name))
    case 'CNAME':
      return plain(await resolver.resolveCname(name))
    case 'NS':
      return plain(await resolver.resolveNs(name))
    case 'PTR':
      return plain(await resolver.resolvePtr(isIP(name) === 0 ? name : reverseName(name)))
    case 'TXT':
      return plain((await resolver.resolveTxt(name)).map(parts => parts.join('')))
    case 'MX':
      return plain((await resolver.resolveMx(name)).map(mx => `${mx.priority} ${mx.exchange}`))
    case 'SRV':
      return plain(
        (await resolver.resolveSrv(name)).map(srv => `${srv.priority} ${srv.weight} ${srv.port} ${srv.name}`),
      )
    case 'SOA': {
      const soa = await resolver.resolveSoa(name)
      return { texts: [`${soa.nsname} ${soa.hostmaster} ${soa.serial}`], serial: soa.serial }
    }
    default:
      return type satisfies never
  }
}
/** The name under which an address is kept in the zones of reverse names. Not `Resolver.reverse`: it reads /etc/hosts. */
const reverseName = (address: string): string => {
  if (isIP(address) === 4) return `${address.split('.').toReversed().join('.')}.in-addr.arpa`
  const digits = groupsOf(address).flatMap(group => [...group.toString(16).padStart(4, '0')])
  return `${digits.toReversed().join('.')}.ip6.arpa`
}

const plain = (texts: readonly string[]): Answer => ({ texts, serial: null })

const judge = ({ texts, serial }: Answer, parameters: Parameters, answerMs: number): CheckOutcome => {
  const values = {
    answer_time: Math.round(answerMs * 1_000) / 1_000,
    records: texts.length,
    ...(serial === null ? {} : { soa_serial: serial }),
  }
  return {
    values,
    failure: mismatch(texts, parameters),
    details: () => [detail(words.records(parameters), texts.join('\n'))],
  }
}

/** Names are compared without case and without their final dot. */
const canonical = (text: string): string => text.trim().toLowerCase().replace(/\.$/, '')

const mismatch = (texts: readonly string[], { expected, exact }: Parameters): CheckFailure | null => {
  const given = new Set(texts.map(canonical))
  const wanted = new Set(expected.map(canonical))
  const missing = expected.filter(text => !given.has(canonical(text)))
  if (missing.length > 0) return failure('mismatch', words.missing(missing, texts))
  const others = exact ? texts.filter(text => !wanted.has(canonical(text))) : []
  return others.length > 0 ? failure('mismatch', words.others(others)) : null
}

const dnsFailure = (code: string, parameters: Parameters, timeoutMs: number): CheckFailure => {
  switch (code) {
    case 'ENOTFOUND':
      return failure('mismatch', words.unknownName(parameters))
    case 'ENODATA':
      return failure('mismatch', words.noRecord(parameters))
    case 'ESERVFAIL':
      return failure('protocol', words.serverFailed)
    case 'EREFUSED':
      return failure('refused', words.refusesQuestion)
    case 'ENOTIMP':
      return failure('protocol', words.notImplemented)
    case 'EFORMERR':
    case 'EBADRESP':
      return failure('protocol', words.badAnswer)
    case 'EBADNAME':
    case 'EBADQUERY':
      return failure('internal', words.badName(parameters.name))
    case 'ECONNREFUSED':
      return failure('refused', words.nobody)
    case 'ETIMEOUT':
    case 'ECANCELLED':
      return failure('timeout', words.silent(timeoutMs))
    default:
      return failure('internal', fr.internal(code))
  }
}

const words = {
  records: ({ type, name }: Parameters) => `Enregistrements ${type} de ${name}`,
  missing: (missing: readonly string[], given: readonly string[]) =>
    `réponse attendue absente : ${missing.join(', ')} (reçu : ${given.join(', ')})`,
  others: (others: readonly string[]) => `réponse qui n’est pas attendue : ${others.join(', ')}`,
  unknownName: ({ name }: Parameters) => `le serveur répond que le nom ${name} n’existe pas`,
  noRecord: ({ name, type }: Parameters) => `le nom ${name} n’a pas d’enregistrement ${type}`,
  serverFailed: 'le serveur de noms dit ne pas pouvoir répondre (SERVFAIL)',
  refusesQuestion: 'le serveur de noms refuse la question (REFUSED)',
  notImplemented: 'le serveur de noms ne connaît pas ce genre de question (NOTIMP)',
  badAnswer: 'la réponse du serveur de noms est malformée',
  badName: (name: string) => `nom incorrect : ${name}`,
  nobody: 'aucun serveur de noms n’écoute sur ce port',
  silent: (ms: number) => `le serveur de noms n’a pas répondu en ${duration(ms)}`,
} as const
