import { CHECKS, type ProbeCheck } from '@narval/contracts'
import { dns } from '../checks/dns.ts'
import { http } from '../checks/http.ts'
import type { Attempt, Attempted } from './diagnostic.ts'
import { frDiagnostics } from './fr-diagnostics.ts'

/** Beyond what a check may take, its end is left to it. */
const MARGIN_MS = 2_000
/** Of what a page says, in characters. */
const BODY_MAX = 8_192

const checkOf = (
  kind: 'dns' | 'http',
  address: string,
  parameters: object,
  { loopback, limitMs }: Pick<Attempt<'dns'>, 'loopback' | 'limitMs'>,
): ProbeCheck => ({
  scanner: 2_147_483_647,
  kind,
  address,
  ...{ intervalMs: 60_000, retryIntervalMs: 60_000, attempts: 1 },
  timeoutMs: Math.max(1, Math.min(10_000, limitMs - MARGIN_MS)),
  parameters: CHECKS[kind].parameters.parse(parameters) ?? {},
  loopback,
})

/** A question to a name server, as the check asks it: the same limits and the same refusals. */
export const diagnoseDns = async (attempt: Attempt<'dns'>): Attempted => {
  const { task, context, say } = attempt
  const { name, type, server } = task
  const parameters = { name, type, server: server === '' ? 'probe' : 'host' }
  const words = frDiagnostics.dns
  say(words.asked(type, name, server === '' ? words.own : server))
  const { values, failure, details } = await dns(checkOf('dns', server, parameters, attempt), context)
  if (failure !== null) return failure.message
  const text = details?.()[0]?.text ?? ''
  for (const line of text === '' ? [words.none] : text.split('\n')) say(line)
  say('')
  say(words.took(values.answer_time ?? 0))
  return null
}

/** A request, as the check makes it; its headers and first bytes are shown. */
export const diagnoseHttp = async (attempt: Attempt<'http'>): Attempted => {
  const { task, context, say } = attempt
  const { url, method, verifyTls, followRedirects } = task
  const words = frDiagnostics.http
  // Every status is worth seeing: none is a failure here.
  const parameters = { url, method, verifyTls, followRedirects, status: '100-599' }
  const { values, failure, details } = await http(checkOf('http', '', parameters, attempt), context)
  say(`${method} ${url}`)
  const [body, headers] = details?.() ?? []
  if (body !== undefined) {
    say(body.label)
    say('')
    say(headers?.text ?? '')
    say('')
    for (const [key, name] of Object.entries(words.stages)) {
      const ms = values[key]
      if (ms !== undefined) say(`${name.padEnd(18)} ${frDiagnostics.milliseconds(ms).padStart(11)}`)
    }
    say('')
    if (!task.body) say(words.withheld)
    else if (isBinary(body.text)) say(words.binary(values.size ?? 0))
    else say(body.text.length > BODY_MAX ? `${body.text.slice(0, BODY_MAX)}\n${frDiagnostics.cut}` : body.text)
  }
  return failure?.message ?? null
}

/** Bytes that are no text show as replacement characters and zeros. */
const isBinary = (text: string): boolean => {
  const start = text.slice(0, 1_000)
  const odd = [...start].filter(sign => sign === '\ufffd' || sign === '\0').length
  return odd > start.length / 20
}
