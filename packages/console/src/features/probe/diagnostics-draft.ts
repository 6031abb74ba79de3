import { DIAGNOSTIC_KINDS, type DiagnoseInput, type DiagnosticKind, diagnoseBody } from '@narval/contracts'

/** What the form holds, whatever the kind: going from one to another loses nothing. */
export interface DiagnosticDraft {
  readonly kind: DiagnosticKind
  readonly address: string
  readonly count: number | string
  readonly name: string
  readonly type: string
  readonly server: string
  readonly url: string
  readonly method: string
  readonly verifyTls: boolean
  readonly followRedirects: boolean
  readonly hostId: number | null
  readonly oid: string
}

const FIELDS = {
  ping: ['address', 'count'],
  traceroute: ['address'],
  dns: ['name', 'type', 'server'],
  http: ['url', 'method', 'verifyTls', 'followRedirects'],
  snmp: ['hostId', 'oid'],
} as const satisfies Record<DiagnosticKind, readonly (keyof DiagnosticDraft)[]>

/** A draft for what a link asks: `?essai=ping&adresse=192.0.2.1&equipement=12`. */
export const draftFrom = (query: URLSearchParams): DiagnosticDraft => {
  const address = query.get('adresse') ?? ''
  const hostId = Number(query.get('equipement'))
  const plain = address.includes(':') ? `[${address}]` : address
  return {
    kind: DIAGNOSTIC_KINDS.find(kind => kind === query.get('essai')) ?? 'ping',
    ...{ address, count: 5, name: '', type: 'A', server: '' },
    ...{ url: address === '' ? '' : `http://${plain}/`, method: 'GET', verifyTls: true, followRedirects: true },
    ...{ hostId: Number.isSafeInteger(hostId) && hostId > 0 ? hostId : null, oid: '1.3.6.1.2.1.1' },
  }
}

export type DraftErrors = Readonly<Partial<Record<keyof DiagnosticDraft, string>>>

/** What is sent, or what is wrong with it by field. */
export const readDraft = (
  draft: DiagnosticDraft,
): { readonly body: DiagnoseInput } | { readonly errors: DraftErrors } => {
  const given = Object.fromEntries(FIELDS[draft.kind].map(field => [field, draft[field]]))
  const parsed = diagnoseBody.safeParse({ kind: draft.kind, ...given })
  if (parsed.success) return { body: parsed.data }
  return { errors: Object.fromEntries(parsed.error.issues.map(issue => [String(issue.path[0]), issue.message])) }
}
