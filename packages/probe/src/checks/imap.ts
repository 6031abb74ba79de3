import type { CheckParameters } from '@narval/contracts'
import { encodeMailbox } from '../services/mailbox-name.ts'
import { runService, type ServiceRun } from '../services/service-run.ts'
import { createTextExchange, type TextExchange } from '../services/text-exchange.ts'
import { checkRunner } from './check.ts'
import { credentialIn } from './check-credential.ts'

interface Talk {
  readonly run: ServiceRun
  readonly text: TextExchange
  readonly parameters: CheckParameters<'imap'>
  /** A tag that no command had yet. */
  readonly tag: () => string
}

/** A server of mailboxes: greeting, TLS, capabilities, sign-in, and how many messages a mailbox holds. */
export const imap = checkRunner('imap', (check, parameters, context) =>
  runService(check, parameters.port, context, async run => {
    const login = parameters.authentication === 'host' ? credentialIn(check, 'mail') : null
    if (login !== null && 'code' in login) throw run.fail(login.code, login.message)
    if (login !== null) run.hide(login.password)
    const text = createTextExchange(run, await run.connect())
    if (parameters.security === 'tls') await text.secure(parameters.verifyTls)
    let count = 0
    const talk: Talk = {
      run,
      text,
      parameters,
      tag: () => {
        count += 1
        return `n${count}`
      },
    }
    await greet(talk)
    let offers = await capabilities(talk)
    if (parameters.security === 'starttls') {
      await startTls(talk, offers)
      offers = await capabilities(talk)
    }
    if (login !== null) await logIn(talk, offers, login.username, login.password)
    if (login !== null && parameters.mailbox !== '') await countMessages(talk)
    text.say(`${talk.tag()} LOGOUT`)
  }),
)

const greet = async ({ run, text }: Talk): Promise<void> => {
  run.stage(words.stages.greeting)
  const line = await text.line()
  run.mark('greeting_time')
  if (/^\* BYE\b/iu.test(line)) throw run.fail('mismatch', words.greeting(run.spoken(line)))
  if (!/^\* (?:OK|PREAUTH)\b/iu.test(line)) throw run.fail('protocol', words.noImap(run.spoken(line)))
}

interface Answer {
  readonly ok: boolean
  /** The status and its text, on one line. */
  readonly said: string
  readonly untagged: readonly string[]
}

/** Lines of one answer; a bounded number, in bounded bytes. */
const LINES_MAX = 500

/** Reads until the answer to a tag; `onContinue` is asked once for what the server waits for. */
const answerTo = async ({ run, text }: Talk, tag: string, onContinue: () => void): Promise<Answer> => {
  const untagged: string[] = []
  for (let count = 0; count < LINES_MAX; count += 1) {
    const line = await text.line()
    const [head = '', status = ''] = line.split(' ', 2)
    if (head === tag) {
      const said = run.spoken(line.slice(tag.length + 1))
      if (!/^(?:OK|NO|BAD)$/iu.test(status)) throw run.fail('protocol', words.noImap(said))
      return { ok: status.toUpperCase() === 'OK', said, untagged }
    }
    if (head === '+') onContinue()
    else if (head === '*') untagged.push(line.slice(2))
    else throw run.fail('protocol', words.noImap(run.spoken(line)))
  }
  throw run.fail('protocol', words.endless)
}

const command = (talk: Talk, line: string): Promise<Answer> => {
  const tag = talk.tag()
  talk.text.say(`${tag} ${line}`)
  return answerTo(talk, tag, () => undefined)
}

/** In capitals. */
const capabilities = async (talk: Talk): Promise<readonly string[]> => {
  talk.run.stage(words.stages.capability)
  const answer = await command(talk, 'CAPABILITY')
  talk.run.mark('capability_time')
  if (!answer.ok) throw talk.run.fail('mismatch', words.refused('CAPABILITY', answer.said))
  return answer.untagged
    .filter(line => /^CAPABILITY /iu.test(line))
    .flatMap(line => line.toUpperCase().split(' ').slice(1))
}

const startTls = async (talk: Talk, offers: readonly string[]): Promise<void> => {
  const { run, text, parameters } = talk
  run.stage(words.stages.startTls)
  if (!offers.includes('STARTTLS')) throw run.fail('tls', words.noStartTls)
  const answer = await command(talk, 'STARTTLS')
  if (!answer.ok) throw run.fail('tls', words.refused('STARTTLS', answer.said))
  await text.secure(parameters.verifyTls)
}

/** AUTHENTICATE PLAIN, or LOGIN where that is not offered; never in clear. */
const logIn = async (talk: Talk, offers: readonly string[], username: string, password: string): Promise<void> => {
  const { run, text, parameters } = talk
  run.stage(words.stages.login)
  if (parameters.security === 'none') throw run.fail('credentials', words.clear)
  const plain = Buffer.from(`\0${username}\0${password}`, 'utf8').toString('base64')
  run.hide(plain)
  const tag = talk.tag()
  // What is sent when the server asks for more, one after the other.
  let parts: readonly string[]
  if (offers.includes('AUTH=PLAIN')) {
    text.say(`${tag} AUTHENTICATE PLAIN`)
    parts = [plain]
  } else if (offers.includes('LOGINDISABLED')) throw run.fail('credentials', words.noLogin)
  else {
    // Literals carry any byte, quotes and accents included.
    text.say(`${tag} LOGIN {${Buffer.byteLength(username)}}`)
    parts = [`${username} {${Buffer.byteLength(password)}}`, password]
  }
  const left = [...parts]
  const answer = await answerTo(talk, tag, () => {
    const part = left.shift()
    // An empty line gives up: it asks for more than there is.
    text.say(part ?? '', part === undefined ? '' : '••••')
  })
  run.mark('login_time')
  if (!answer.ok) throw run.fail('credentials', words.login(answer.said))
}

const countMessages = async (talk: Talk): Promise<void> => {
  const { run, parameters } = talk
  run.stage(words.stages.mailbox)
  const name = encodeMailbox(parameters.mailbox).replace(/["\\]/gu, '\\$&')
  const answer = await command(talk, `STATUS "${name}" (MESSAGES UNSEEN)`)
  if (!answer.ok) throw run.fail('mismatch', words.mailbox(parameters.mailbox, answer.said))
  const status = answer.untagged.find(line => /^STATUS /iu.test(line)) ?? ''
  const counts = /\(([^()]*)\)\s*$/u.exec(status)?.[1] ?? ''
  for (const [key, name] of [
    ['messages', 'MESSAGES'],
    ['unseen', 'UNSEEN'],
  ] as const) {
    const found = new RegExp(`\\b${name} (\\d{1,10})(?!\\d)`, 'iu').exec(counts)?.[1]
    if (found === undefined) throw run.fail('protocol', words.noCount(parameters.mailbox))
    run.values[key] = Number(found)
  }
}

const words = {
  stages: {
    greeting: 'en attendant l’accueil',
    capability: 'à la commande CAPABILITY',
    startTls: 'à la commande STARTTLS',
    login: 'pendant l’authentification',
    mailbox: 'en comptant les messages',
  },
  noImap: (text: string) => `le service ne parle pas IMAP : « ${text} »`,
  endless: `réponse interrompue : plus de ${LINES_MAX} lignes`,
  greeting: (said: string) => `accueil refusé : ${said}`,
  refused: (name: string, said: string) => `${name} refusé : ${said}`,
  noStartTls: 'le serveur ne propose pas STARTTLS',
  clear:
    'authentification non essayée : les identifiants ne sont envoyés que sur une liaison chiffrée, choisissez STARTTLS ou TLS',
  noLogin: 'le serveur ne permet pas l’authentification à cet endroit',
  login: (said: string) => `Identifiants refusés : ${said}`,
  mailbox: (name: string, said: string) => `dossier « ${name} » introuvable ou refusé : ${said}`,
  noCount: (name: string) => `le serveur ne dit pas combien de messages contient « ${name} »`,
} as const
