import type { Thresholds } from '@narval/engine'
import * as z from 'zod/mini'
import type { CredentialKind } from './credential.ts'

/** Units of metrics, written as on the wire; the console shows them in French. `ratio` is 0 … 1 shown as %. */
export const UNITS = [
  '',
  'ms',
  's',
  'ratio',
  'bytes',
  'bytes/s',
  'bits/s',
  'count',
  'count/s',
  'code',
  'celsius',
  'volts',
  'amperes',
  'watts',
  'hertz',
  'rpm',
  'dbm',
] as const
export type Unit = (typeof UNITS)[number]

/** `counter` samples are stored raw and shown as a rate per second. */
export const METRIC_TYPES = ['gauge', 'counter', 'state'] as const
export type MetricType = (typeof METRIC_TYPES)[number]

export interface MetricDefinition {
  readonly key: string
  /** French, as shown; `{instance}` is replaced by the instance of the key. */
  readonly name: string
  readonly unit: Unit
  readonly type: MetricType
  readonly thresholds?: Partial<Thresholds>
  /** Not brought by every run that succeeds: the metric is created with its first value instead of with its scanner. */
  readonly optional?: true
  /** French words of the values of a state: `{ 1: 'active', 2: 'inactive' }`. */
  readonly states?: Readonly<Record<number, string>>
  /** Thresholds that a new metric learns from its first value: what was seen at discovery is what is expected. */
  readonly learn?: (value: number) => Partial<Thresholds>
}

/** Every scanner has this metric: 1 when the check succeeded, 0 when it failed. */
export const AVAILABILITY_KEY = 'availability'
export const AVAILABILITY: MetricDefinition = {
  key: AVAILABILITY_KEY,
  name: 'Disponibilité',
  unit: '',
  type: 'state',
  states: { 0: 'indisponible', 1: 'disponible' },
}

/** Families of the gallery, in its order. */
export const CHECK_FAMILIES = [
  'Réseau',
  'Web',
  'SNMP',
  'Messagerie',
  'Annuaire et données',
  'Système',
  'Réception',
] as const
export type CheckFamily = (typeof CHECK_FAMILIES)[number]

interface FieldWords {
  readonly label: string
  readonly help?: string
  readonly required?: true
  /** Takes the whole width of the form. */
  readonly wide?: true
  /** Shown only when this says so; its value is kept all the same. */
  readonly when?: (parameters: Readonly<Record<string, unknown>>) => boolean
}
type Choices = readonly { readonly value: string; readonly label: string }[]

/** How a form asks for one parameter. */
export type ParameterField = FieldWords &
  (
    | { readonly type: 'text'; readonly placeholder?: string }
    /** Several lines of one text. */
    | { readonly type: 'paragraph'; readonly placeholder?: string }
    /** `plain`: a name rather than a quantity (a port), without spaces between thousands. */
    | { readonly type: 'number'; readonly unit?: string; readonly decimals?: number; readonly plain?: true }
    | { readonly type: 'switch' }
    | { readonly type: 'choice'; readonly choices: Choices }
    /** Several of a closed set. */
    | { readonly type: 'choices'; readonly choices: Choices }
    /** A few words or patterns, each its own. */
    | { readonly type: 'words' }
    /** A list of small records; `empty` is a new one. */
    | {
        readonly type: 'table'
        readonly columns: Readonly<Record<string, ParameterField>>
        readonly empty: Readonly<Record<string, unknown>>
        readonly add: string
      }
  )

type ParameterSchema = z.ZodMiniType<Record<string, unknown>>

/**
 * A kind of check: all that server and console know of it. The file `probe/src/checks/<kind>.ts` runs it.
 * A metric key with an instance is written `key[instance]`, e.g. `disk_used_ratio[/data]`.
 */
export interface CheckDefinition<K extends string = string, P extends ParameterSchema = ParameterSchema> {
  readonly kind: K
  /** Where its family of the gallery shows it: the lowest first. */
  readonly rank: number
  /** How many one probe runs at once: the bounds of its memory and sockets. */
  readonly concurrency: number
  readonly label: string
  readonly family: CheckFamily
  readonly description: string
  /** Other words by which the gallery finds it. */
  readonly keywords?: readonly string[]
  /** Parameters of a scanner are always kept in this shape; a strict object whose fields have defaults where they can. */
  readonly parameters: P
  /** How the form asks for each, in its order; a parameter that is not here is not shown. */
  readonly fields: Readonly<Partial<Record<keyof z.output<P> & string, ParameterField>>>
  /** Values of parameters without default that a new form begins with. */
  readonly initial?: Readonly<Record<string, unknown>>
  readonly metrics: readonly MetricDefinition[]
  /** Metrics that a scanner's parameters define (values by OID, chosen series): beside those above. */
  readonly metricsOf?: (parameters: z.output<P>) => readonly MetricDefinition[]
  /** Metrics that one scanner may bring (S57); 500 unless said. */
  readonly maxMetrics?: number
  /** The host's credentials that a run shows to its target; null: none. */
  readonly credential?: (parameters: z.output<P>) => CredentialKind | null
  /** The parameters that are patterns of a person's own (RE2), by field: the server refuses those that can't be used. */
  readonly patterns?: (parameters: z.output<P>) => readonly (readonly [field: string, pattern: string])[]
  /** It waits for what equipment sends to its probe: it does not tell whether the host answers, and no other probe hears it. */
  readonly passive?: true
  /** Who makes the results: a probe unless said. */
  readonly runner?: 'probe' | 'server'
}

/** Gives a definition its types: `fields` names parameters of its own schema. */
export const defineCheck = <const K extends string, P extends ParameterSchema>(
  definition: CheckDefinition<K, P>,
): CheckDefinition<K, P> => definition

export const portParameter = z.int().check(z.minimum(1), z.maximum(65_535))
/** One line or more of at most `max` characters. */
export const textParameter = (max: number) => z.string().check(z.maxLength(max))
/** Field of a port, the same words everywhere. */
export const portField = (help: string): ParameterField => ({ type: 'number', plain: true, label: 'Port', help })
