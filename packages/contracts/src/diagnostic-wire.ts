import * as z from 'zod/mini'
import { DNS_TYPES } from './checks/dns.ts'
import { idValue } from './schema.ts'

/** What a person may have a probe try, to see a site from where it stands. */
export const DIAGNOSTIC_KINDS = ['ping', 'traceroute', 'dns', 'http', 'snmp'] as const
export type DiagnosticKind = (typeof DIAGNOSTIC_KINDS)[number]

export const PING_MAX_COUNT = 20
/** Values of an SNMP walk that are told, and characters of a whole answer. */
export const WALK_MAX_VALUES = 500
export const DIAGNOSTIC_MAX_LENGTH = 65_536
/** Under way at once on one probe; the server refuses more before it, and so does the probe. */
export const DIAGNOSTICS_AT_ONCE = 2
/** How long each may take on the probe. */
export const DIAGNOSTIC_LIMIT_MS = {
  ping: 30_000,
  traceroute: 40_000,
  dns: 15_000,
  http: 20_000,
  snmp: 30_000,
} as const satisfies Record<DiagnosticKind, number>

/** An IP address or a name: nothing that a program could take for an option, though none is ever started (S39). */
export const targetAddress = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Champ requis'),
    z.maxLength(253),
    z.regex(
      /^(?!-)(?:[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}.])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$/u,
      'Une adresse IP ou un nom est attendu',
    ),
  )
const dnsName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Champ requis'),
    z.maxLength(253),
    z.regex(/^(?!-)[^\s\p{Cc}]+$/u, 'Un nom de domaine ne contient ni espace ni caractère de contrôle'),
  )
const oid = z
  .string()
  .check(z.trim(), z.maxLength(400), z.regex(/^\.?[0-2](?:\.\d{1,10}){1,120}$/, 'Un OID est attendu : 1.3.6.1.2.1.1'))

const tasks = {
  ping: {
    kind: z.literal('ping'),
    address: targetAddress,
    count: z._default(z.int().check(z.minimum(1), z.maximum(PING_MAX_COUNT)), 5),
  },
  traceroute: { kind: z.literal('traceroute'), address: targetAddress },
  dns: {
    kind: z.literal('dns'),
    name: dnsName,
    type: z._default(z.enum(DNS_TYPES), 'A'),
    /** The name server to ask; empty: those of the probe's machine. */
    server: z._default(z.union([z.literal(''), targetAddress]), ''),
  },
  http: {
    kind: z.literal('http'),
    url: z
      .string()
      .check(
        z.trim(),
        z.maxLength(2000),
        z.regex(/^https?:\/\/[^\s]+$/i, 'Une adresse en http:// ou https:// est attendue'),
      ),
    method: z._default(z.enum(['GET', 'HEAD']), 'GET'),
    verifyTls: z._default(z.boolean(), true),
    followRedirects: z._default(z.boolean(), true),
  },
} as const

/** What the API is asked. An SNMP walk uses the credentials in force of a host, never ones that were typed. */
export const diagnoseBody = z.discriminatedUnion('kind', [
  z.strictObject(tasks.ping),
  z.strictObject(tasks.traceroute),
  z.strictObject(tasks.dns),
  z.strictObject(tasks.http),
  z.strictObject({ kind: z.literal('snmp'), hostId: idValue, oid: z._default(oid, '1.3.6.1.2.1.1') }),
])
export type DiagnoseInput = z.output<typeof diagnoseBody>

/** What the probe is asked. */
export const diagnosticTask = z.discriminatedUnion('kind', [
  z.object(tasks.ping),
  z.object(tasks.traceroute),
  z.object(tasks.dns),
  /** `body`: whether what the server answered may be shown to who asks (S50). */
  z.object({ ...tasks.http, body: z.boolean() }),
  z.object({ kind: z.literal('snmp'), address: targetAddress, oid }),
])
export type DiagnosticTask = z.output<typeof diagnosticTask>

/** What came of it, as lines to read; `failure`: French, also when a part of it succeeded. */
export const diagnosis = {
  durationMs: z.number().check(z.minimum(0), z.maximum(3_600_000)),
  text: z.string().check(z.maxLength(DIAGNOSTIC_MAX_LENGTH)),
  failure: z.nullable(z.string().check(z.maxLength(500))),
}
export const diagnosedOutcome = z.object({ kind: z.literal('diagnosed'), ...diagnosis })
export type DiagnosedOutcome = z.output<typeof diagnosedOutcome>
