import type { Socket } from 'node:net'
import type { CheckParameters } from '@narval/contracts'
import { BindRequest, ExtendedRequest, type Filter, FilterParser, SearchRequest, UnbindRequest } from 'ldapts'
import { type LdapAnswer, parseAnswer } from '../services/ldap-wire.ts'
import { resultText } from '../services/ldap-words.ts'
import { createReader, type Reader } from '../services/reader.ts'
import { runService, type ServiceRun } from '../services/service-run.ts'
import { checkRunner } from './check.ts'
import { credentialIn } from './check-credential.ts'

type Parameters = CheckParameters<'ldap'>
type Result = Extract<LdapAnswer, { kind: 'result' }>

/** All that a directory may say in one run, in one message, and the entries that are asked for. */
const MAX_BYTES = 4 * 1_024 * 1_024
const MESSAGE_MAX = 256 * 1_024
const ENTRIES_MAX = 10_000
/** RFC 4511, 4.14 and 4.1.4. */
const START_TLS = '1.3.6.1.4.1.1466.20037'
const CODES = { success: 0, sizeLimit: 4, invalidCredentials: 49 } as const

/** A directory: bind and search. ldapts writes the requests; the connection, its bounds and its time are ours. */
export const ldap = checkRunner('ldap', (check, parameters, context) =>
  runService(check, parameters.port, context, async run => {
    const login = parameters.authentication === 'host' ? credentialIn(check, 'ldap') : null
    if (login !== null && 'code' in login) throw run.fail(login.code, login.message)
    if (login !== null) run.hide(login.password)
    const filter = filterOf(run, parameters)
    const talk = createTalk(run, await run.connect())
    if (parameters.security === 'tls') await talk.secure(parameters.verifyTls)
    if (parameters.security === 'starttls') await startTls(run, talk, parameters)
    await bind(run, talk, login?.username ?? '', login?.password ?? '')
    if (filter !== null) await search(run, talk, parameters, filter)
    talk.send(messageId => new UnbindRequest({ messageId }))
  }),
)

/** Null: nothing is searched. */
const filterOf = (run: ServiceRun, { base, filter }: Parameters): Filter | null => {
  if (base === '' && filter === '') return null
  try {
    return FilterParser.parseString(filter === '' ? '(objectClass=*)' : filter)
  } catch {
    throw run.fail('internal', words.badFilter(filter))
  }
}

interface Talk {
  /** Sends a request under a number of its own, which it gives. */
  readonly send: (request: (messageId: number) => { readonly write: () => Buffer }) => number
  /** The next answer to this number. */
  readonly answer: (id: number) => Promise<LdapAnswer>
  /** The answer to this number, which must be a result. */
  readonly result: (id: number) => Promise<Result>
  readonly secure: (verify: boolean) => Promise<void>
}

const createTalk = (run: ServiceRun, socket: Socket): Talk => {
  let current = socket
  let reader = createReader(run, socket, MAX_BYTES)
  let last = 0
  const answer = async (id: number): Promise<LdapAnswer> => {
    for (;;) {
      const found = await readAnswer(run, reader)
      if (found.id === id) return found
      // Number 0: the server says that it ends the connection (RFC 4511, 4.4.1).
      if (found.id === 0 && found.kind === 'result') throw run.fail('protocol', words.ended(found))
    }
  }
  return {
    send: request => {
      last += 1
      current.write(request(last).write())
      return last
    },
    answer,
    result: async id => {
      const found = await answer(id)
      if (found.kind !== 'result') throw run.fail('protocol', words.noLdap)
      return found
    },
    secure: async verify => {
      reader.release()
      current = await run.secure(current, verify)
      reader = createReader(run, current, MAX_BYTES)
    },
  }
}

const SEQUENCE = 0x30

const readAnswer = async (run: ServiceRun, reader: Reader): Promise<LdapAnswer> => {
  const head = await reader.bytes(2)
  const [tag, first] = [head.readUInt8(0), head.readUInt8(1)]
  const size = first < 0x80 ? 0 : first & 0x7f
  if (tag !== SEQUENCE || first === 0x80 || size > 4) throw run.fail('protocol', words.noLdap)
  const length = size === 0 ? first : (await reader.bytes(size)).readUIntBE(0, size)
  if (length > MESSAGE_MAX) throw run.fail('protocol', words.tooLong)
  const found = parseAnswer(await reader.bytes(length))
  if (found === null) throw run.fail('protocol', words.noLdap)
  return found.kind === 'result' ? { ...found, message: run.spoken(found.message) } : found
}

const startTls = async (run: ServiceRun, talk: Talk, { verifyTls }: Parameters): Promise<void> => {
  run.stage(words.stages.startTls)
  const id = talk.send(messageId => new ExtendedRequest({ messageId, oid: START_TLS }))
  const { code, message } = await talk.result(id)
  if (code !== CODES.success) throw run.fail('tls', words.startTls(code, message))
  await talk.secure(verifyTls)
}

const bind = async (run: ServiceRun, talk: Talk, dn: string, password: string): Promise<void> => {
  run.stage(words.stages.bind)
  const id = talk.send(messageId => new BindRequest({ messageId, dn, password }))
  const { code, message } = await talk.result(id)
  run.mark('bind_time')
  run.note(words.bound(dn, code))
  if (code === CODES.success) return
  if (code === CODES.invalidCredentials) throw run.fail('credentials', words.credentials(code, message))
  throw run.fail(dn === '' ? 'mismatch' : 'credentials', words.bind(code, message))
}

const search = async (run: ServiceRun, talk: Talk, { base, scope }: Parameters, filter: Filter): Promise<void> => {
  run.stage(words.stages.search)
  const timeLimit = Math.ceil(run.leftMs() / 1_000)
  const id = talk.send(
    messageId =>
      // No attribute is asked for: entries are counted.
      new SearchRequest({
        messageId,
        baseDN: base,
        scope,
        filter,
        timeLimit,
        sizeLimit: ENTRIES_MAX,
        attributes: ['1.1'],
      }),
  )
  let entries = 0
  for (;;) {
    const found = await talk.answer(id)
    if (found.kind === 'entry') entries += 1
    if (found.kind !== 'result') continue
    run.mark('search_time')
    run.note(words.found(entries, found.code))
    if (found.code !== CODES.success && found.code !== CODES.sizeLimit)
      throw run.fail('mismatch', words.search(found.code, found.message))
    run.values.entries = entries
    return
  }
}

const words = {
  stages: {
    startTls: 'à la demande de STARTTLS',
    bind: 'pendant la connexion à l’annuaire',
    search: 'pendant la recherche',
  },
  noLdap: 'le service ne parle pas LDAP : sa réponse est incompréhensible',
  tooLong: `réponse interrompue : un message de plus de ${MESSAGE_MAX / 1_024} Kio`,
  badFilter: (filter: string) => `filtre LDAP incorrect : ${filter}`,
  ended: ({ code, message }: Result) => `le serveur met fin à la connexion : ${resultText(code, message)}`,
  startTls: (code: number, said: string) => `STARTTLS refusé : ${resultText(code, said)}`,
  credentials: (code: number, said: string) => `Identifiants refusés : ${resultText(code, said)}`,
  bind: (code: number, said: string) => `connexion à l’annuaire refusée : ${resultText(code, said)}`,
  search: (code: number, said: string) => `recherche refusée : ${resultText(code, said)}`,
  bound: (dn: string, code: number) => `connexion ${dn === '' ? 'anonyme' : `de ${dn}`} : code ${code}`,
  found: (entries: number, code: number) =>
    `recherche : ${entries} entrées, code ${code}${code === CODES.sizeLimit ? ' (limite atteinte, il y en a plus)' : ''}`,
} as const
