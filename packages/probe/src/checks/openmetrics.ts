import { isIP } from 'node:net'
import type { CheckParameters, ProbeCheck } from '@narval/contracts'
import { type CheckFailure, detail, failure } from '../failure.ts'
import { fr } from '../fr.ts'
import { parseLine, type Sample, seriesText } from '../services/openmetrics-text.ts'
import { spoken } from '../services/redaction.ts'
import { BadPattern, createSeriesChoice, type SeriesChoice } from '../services/series-choice.ts'
import { type CheckContext, checkRunner } from './check.ts'
import { createAuthentication } from './http-authentication.ts'
import { type Exchanged, exchange, portOf } from './http-exchange.ts'

type Parameters = CheckParameters<'openmetrics'>
type Answer = NonNullable<Exchanged['answer']>

/**
 * Bytes of an answer: a node exporter says 0.1 MB, a large cluster's kube-state-metrics about 10; few of these checks run at
 * once, so that the probe's memory stays bounded.
 */
const MAX_BYTES = 16 * 1_024 * 1_024
/** Longest line, and series shown to who tests: of each name, and in all. */
const LINE_MAX = 64 * 1_024
const SHOWN_PER_NAME = 5
const NAMES_MAX = 2_000
/** Other checks get their turn after so long. */
const SLICE_MS = 10

/** Scrapes an exporter and measures the chosen series. */
export const openmetrics = checkRunner('openmetrics', async (check, parameters, context) => {
  const startedMs = context.nowMs()
  const choice = choiceOf(parameters)
  if ('code' in choice) return { values: {}, failure: choice }
  const fetched = await fetchText(check, parameters, context)
  const leftMs = (): number => check.timeoutMs - (context.nowMs() - startedMs)
  const values = { ...fetched.timings, total_time: Math.round((context.nowMs() - startedMs) * 1_000) / 1_000 }
  const { answer } = fetched
  if (fetched.failure !== null || answer === null) return { values, failure: fetched.failure }
  const sized = { ...values, size: answer.bytes }
  const refused = refusal(answer, parameters)
  if (refused !== null)
    return { values: sized, failure: refused, details: () => [detail(words.body, beginning(answer))] }
  const shown = createShown()
  const read = await readSamples(answer.body, leftMs, sample => {
    choice.add(sample)
    shown.add(sample)
  })
  if (read.failure !== null)
    return { values: sized, failure: read.failure, details: () => [detail(words.body, beginning(answer))] }
  return {
    values: { ...sized, exposed: read.count, ...choice.values() },
    failure: null,
    details: () => [detail(words.chosen, chosenText(choice)), detail(words.series, shown.text())],
  }
})

const choiceOf = (parameters: Parameters): SeriesChoice | CheckFailure => {
  try {
    return createSeriesChoice(parameters.series)
  } catch (error) {
    if (!(error instanceof BadPattern)) throw error
    return failure('internal', words.badPattern(error.message))
  }
}

/** One request to the exporter; redirects are not followed, no exporter has any. */
const fetchText = async (check: ProbeCheck, parameters: Parameters, context: CheckContext): Promise<Exchanged> => {
  const startedMs = context.nowMs()
  const leftMs = (): number => Math.max(1, check.timeoutMs - (context.nowMs() - startedMs))
  const refused = (problem: CheckFailure): Exchanged => ({ timings: {}, failure: problem, answer: null })
  const own = isIP(check.address) === 6 ? `[${check.address}]` : check.address
  const url = URL.parse(parameters.url.replaceAll('{address}', own))
  if (url === null) return refused(failure('denied', fr.denied.url))
  url.username = ''
  url.password = ''
  const authentication = createAuthentication(check, parameters, context)
  if ('code' in authentication) return refused(authentication)
  const target = { loopback: check.loopback, port: portOf(url), path: url.pathname }
  const resolved = await context.resolver.resolve(url.hostname.replace(/^\[|\]$/g, ''), target, leftMs(), true)
  if (resolved.failure !== null) return refused(resolved.failure)
  const header = await authentication.headerFor(url, resolved.address, leftMs())
  if (typeof header === 'object' && header !== null) return refused(header)
  return exchange(
    {
      url,
      address: resolved.address,
      method: 'GET',
      verifyTls: parameters.verifyTls,
      authorization: header,
      headers: { accept: 'text/plain;version=0.0.4,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1' },
      maxBytes: MAX_BYTES,
      loopback: check.loopback,
      leftMs: leftMs(),
      timeoutMs: check.timeoutMs,
    },
    context,
  )
}

const refusal = (answer: Answer, { authentication }: Parameters): CheckFailure | null => {
  const { status, body, truncated } = answer
  if (authentication !== 'none' && (status === 401 || status === 403))
    return failure('credentials', fr.http.sent(status))
  if (status !== 200) return failure('mismatch', fr.http.status(status, '200'))
  if (truncated) return failure('protocol', words.tooLong)
  if (body[0] === 0x1f && body[1] === 0x8b) return failure('protocol', words.compressed)
  return /^\s*</u.test(body.subarray(0, 200).toString('latin1')) ? failure('protocol', words.page) : null
}

const beginning = ({ body }: Answer): string => body.subarray(0, 4_096).toString('utf8')

interface Read {
  readonly count: number
  readonly failure: CheckFailure | null
}

/** Reads all lines, letting other work in between, until the time is up. */
const readSamples = async (body: Buffer, leftMs: () => number, onSample: (sample: Sample) => void): Promise<Read> => {
  let [count, at, number] = [0, 0, 0]
  let sliceMs = performance.now()
  const broken = (message: string): Read => ({ count, failure: failure('protocol', message) })
  while (at < body.length) {
    const found = body.indexOf(0x0a, at)
    const end = found < 0 ? body.length : found
    number += 1
    if (end - at > LINE_MAX) return broken(words.malformed(number, ''))
    const text = body.toString('utf8', at, end)
    at = end + 1
    const line = parseLine(text)
    if (line.kind === 'end') break
    if (line.kind === 'malformed') return broken(words.malformed(number, spoken(text).slice(0, 100)))
    if (line.kind === 'sample') {
      count += 1
      onSample(line.sample)
    }
    if (number % 64 !== 0 || performance.now() - sliceMs < SLICE_MS) continue
    await new Promise(resolve => setImmediate(resolve))
    if (leftMs() <= 0) return { count, failure: failure('timeout', words.late) }
    sliceMs = performance.now()
  }
  return count === 0 ? broken(words.nothing) : { count, failure: null }
}

/** A few series of each name, for who chooses. */
const createShown = () => {
  const names = new Map<string, { count: number; readonly lines: string[] }>()
  return {
    add: (sample: Sample): void => {
      const known = names.get(sample.name)
      const entry = known ?? { count: 0, lines: [] }
      if (known === undefined && names.size >= NAMES_MAX) return
      names.set(sample.name, entry)
      entry.count += 1
      if (entry.lines.length < SHOWN_PER_NAME) entry.lines.push(`${spoken(seriesText(sample))} ${sample.value}`)
    },
    text: (): string =>
      [...names]
        .flatMap(([name, { count, lines }]) => [
          ...lines,
          ...(count > lines.length ? [words.more(name, count - lines.length)] : []),
        ])
        .join('\n'),
  }
}

const chosenText = (choice: SeriesChoice): string => {
  const lines = choice.found().map(({ series, count, value }) => words.pick(series.name, series.selector, count, value))
  return lines.length === 0 ? words.noChoice : lines.join('\n')
}

const words = {
  body: 'Début de la réponse',
  chosen: 'Séries suivies',
  series: 'Séries exposées',
  noChoice: 'Aucune série n’est encore choisie.',
  pick: (name: string, selector: string, count: number, value: number | null) =>
    `${name} : ${count === 0 ? 'aucune série' : `${count} ${count > 1 ? 'séries' : 'série'}`} pour ${selector}${value === null ? '' : `, valeur ${value}`}`,
  more: (name: string, count: number) => `… et ${count} autres ${name}`,
  badPattern: (text: string) => `expression régulière incorrecte ou trop longue : ${text}`,
  tooLong: `réponse de plus de ${MAX_BYTES / 1_024 / 1_024} Mio : l’exportateur en dit trop`,
  compressed: 'réponse compressée sans que la sonde l’ait demandé',
  page: 'la réponse est une page web, pas des métriques : vérifiez le chemin (souvent /metrics)',
  malformed: (line: number, text: string) =>
    `ligne ${line} incompréhensible${text === '' ? '' : `\u202f: «\u202f${text}\u202f»`}\u202f: ce ne sont pas des métriques Prometheus`,
  nothing: 'la réponse ne contient aucune série',
  late: 'délai dépassé pendant la lecture des séries',
} as const
