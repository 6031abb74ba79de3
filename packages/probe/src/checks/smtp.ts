import { isIP } from 'node:net'
import type { CheckParameters } from '@narval/contracts'
import { runService, type ServiceRun } from '../services/service-run.ts'
import { createTextExchange, type TextExchange } from '../services/text-exchange.ts'
import { checkRunner } from './check.ts'
import { credentialIn } from './check-credential.ts'

type Parameters = CheckParameters<'smtp'>
interface Talk {
  readonly run: ServiceRun
  readonly text: TextExchange
  readonly parameters: Parameters
}

/** A mail server: greeting, EHLO, TLS, authentication, and a recipient that is tried without a message. */
export const smtp = checkRunner('smtp', (check, parameters, context) =>
  runService(check, parameters.port, context, async run => {
    const login = parameters.authentication === 'host' ? credentialIn(check, 'mail') : null
    if (login !== null && 'code' in login) throw run.fail(login.code, login.message)
    if (login !== null) run.hide(login.password)
    const socket = await run.connect()
    const text = createTextExchange(run, socket)
    if (parameters.security === 'tls') await text.secure(parameters.verifyTls)
    const talk: Talk = { run, text, parameters }
    await greet(talk)
    const own = socket.localAddress ?? ''
    const name = parameters.hello === '' ? addressLiteral(own) : parameters.hello
    let offers = await hello(talk, name)
    if (parameters.security === 'starttls') {
      await startTls(talk, offers)
      offers = await hello(talk, name)
    }
    if (login !== null) await logIn(talk, offers, login.username, login.password)
    if (parameters.recipient !== '') await tryRecipient(talk)
    text.say('QUIT')
  }),
)

/** RFC 5321, 4.1.3. */
const addressLiteral = (address: string): string => {
  const bare = address.replace(/^::ffff:/, '').replace(/%.*$/, '')
  return isIP(bare) === 6 ? `[IPv6:${bare}]` : `[${bare}]`
}

interface Reply {
  readonly code: number
  readonly lines: readonly string[]
  /** All that was said, on one line. */
  readonly said: string
}

/** Lines of one reply; no server needs as many. */
const LINES_MAX = 100

const replyOf = async ({ run, text }: Talk): Promise<Reply> => {
  const lines: string[] = []
  for (;;) {
    const line = await text.line()
    const match = /^(\d{3})(?:([ -])(.*))?$/u.exec(line)
    if (match === null || lines.length >= LINES_MAX) throw run.fail('protocol', words.noSmtp(run.spoken(line)))
    const [, code = '', separator = ' ', rest = ''] = match
    lines.push(rest)
    if (separator !== '-') return { code: Number(code), lines, said: `${code} ${run.spoken(lines.join(' '))}` }
  }
}

const greet = async (talk: Talk): Promise<void> => {
  const { run, parameters } = talk
  run.stage(words.stages.greeting)
  const reply = await replyOf(talk)
  run.mark('greeting_time')
  if (reply.code !== 220) throw run.fail('mismatch', words.greeting(reply.said))
  if (!`${reply.code} ${reply.lines.join('\n')}`.includes(parameters.greeting))
    throw run.fail('mismatch', words.otherGreeting(parameters.greeting, reply.said))
}

/** What the server offers, in capitals; HELO where it does not know EHLO. */
const hello = async (talk: Talk, name: string): Promise<readonly string[]> => {
  const { run, text } = talk
  run.stage(words.stages.hello)
  text.say(`EHLO ${name}`)
  let reply = await replyOf(talk)
  if (reply.code >= 500) {
    text.say(`HELO ${name}`)
    reply = await replyOf(talk)
  }
  run.mark('hello_time')
  if (reply.code !== 250) throw run.fail('mismatch', words.hello(reply.said))
  return reply.lines.slice(1).map(line => line.toUpperCase())
}

const startTls = async (talk: Talk, offers: readonly string[]): Promise<void> => {
  const { run, text, parameters } = talk
  run.stage(words.stages.startTls)
  if (!offers.includes('STARTTLS')) throw run.fail('tls', words.noStartTls)
  text.say('STARTTLS')
  const reply = await replyOf(talk)
  if (reply.code !== 220) throw run.fail('tls', words.startTls(reply.said))
  await text.secure(parameters.verifyTls)
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** PLAIN, or LOGIN where that alone is offered; never in clear. */
const logIn = async (talk: Talk, offers: readonly string[], username: string, password: string): Promise<void> => {
  const { run, text, parameters } = talk
  run.stage(words.stages.login)
  if (parameters.security === 'none') throw run.fail('credentials', words.clear)
  // Old servers write AUTH=.
  const methods = offers.flatMap(line => /^AUTH[ =](.*)$/u.exec(line)?.[1]?.split(/[ =]+/u) ?? [])
  if (methods.length === 0) throw run.fail('credentials', words.noAuth)
  const plain = base64(`\0${username}\0${password}`)
  run.hide(plain)
  let reply: Reply
  if (methods.includes('PLAIN')) {
    text.say(`AUTH PLAIN ${plain}`, 'AUTH PLAIN ••••')
    reply = await replyOf(talk)
  } else if (methods.includes('LOGIN')) {
    reply = await logInByTwo(talk, username, password)
  } else throw run.fail('credentials', words.noMethod(run.spoken(methods.join(', '))))
  run.mark('login_time')
  if (reply.code !== 235) throw run.fail('credentials', words.login(reply.said))
}

const logInByTwo = async (talk: Talk, username: string, password: string): Promise<Reply> => {
  const { text } = talk
  text.say('AUTH LOGIN')
  const user = await replyOf(talk)
  if (user.code !== 334) return user
  text.say(base64(username), '••••')
  const asked = await replyOf(talk)
  if (asked.code !== 334) return asked
  text.say(base64(password), '••••')
  return replyOf(talk)
}

const tryRecipient = async (talk: Talk): Promise<void> => {
  const { run, text, parameters } = talk
  run.stage(words.stages.recipient)
  text.say(`MAIL FROM:<${parameters.sender}>`)
  const from = await replyOf(talk)
  if (from.code !== 250) throw run.fail('mismatch', words.sender(from.said))
  text.say(`RCPT TO:<${parameters.recipient}>`)
  const to = await replyOf(talk)
  run.mark('recipient_time')
  text.say('RSET')
  await replyOf(talk)
  const accepted = to.code === 250 || to.code === 251
  if (accepted && parameters.recipientExpected === 'refused')
    throw run.fail('mismatch', words.relays(parameters.recipient, to.said))
  if (accepted || (parameters.recipientExpected === 'refused' && to.code >= 500)) return
  throw run.fail('mismatch', words.recipient(parameters.recipient, to.said))
}

const words = {
  stages: {
    greeting: 'en attendant l’accueil',
    hello: 'à la commande EHLO',
    startTls: 'à la commande STARTTLS',
    login: 'pendant l’authentification',
    recipient: 'pendant l’essai du destinataire',
  },
  noSmtp: (text: string) => `le service ne parle pas SMTP : « ${text} »`,
  greeting: (said: string) => `accueil refusé : ${said}`,
  otherGreeting: (expected: string, said: string) =>
    `texte d’accueil inattendu : « ${expected} » n’est pas dans « ${said} »`,
  hello: (said: string) => `EHLO refusé : ${said}`,
  noStartTls: 'le serveur ne propose pas STARTTLS',
  startTls: (said: string) => `STARTTLS refusé : ${said}`,
  clear:
    'authentification non essayée : les identifiants ne sont envoyés que sur une liaison chiffrée, choisissez STARTTLS ou TLS',
  noAuth: 'le serveur ne propose pas d’authentification à cet endroit',
  noMethod: (methods: string) => `le serveur ne propose ni PLAIN ni LOGIN, mais : ${methods}`,
  login: (said: string) => `Identifiants refusés : ${said}`,
  sender: (said: string) => `expéditeur refusé : ${said}`,
  recipient: (address: string, said: string) => `destinataire ${address} non accepté : ${said}`,
  relays: (address: string, said: string) =>
    `le serveur accepte le destinataire ${address}, qu’il devrait refuser : ${said}`,
} as const
