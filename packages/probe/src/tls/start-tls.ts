import type { Socket } from 'node:net'
import type { StartTls } from '@narval/contracts'
import { type CheckFailure, failure } from '../failure.ts'
import { fr } from '../fr.ts'

/** Bytes that a service may say in clear before TLS. */
const CLEAR_MAX = 16_384

/** Why a service did not come to TLS. */
export class StartTlsRefused extends Error {
  readonly failure: CheckFailure
  constructor(reason: CheckFailure) {
    super(reason.message)
    this.failure = reason
  }
}

/**
 * Speaks a protocol in clear until it is about to speak TLS. Throws `StartTlsRefused` when the service does not come to
 * that, or errors of the socket; the time limit is the caller's, who destroys the socket.
 */
export const startTls = async (socket: Socket, protocol: StartTls): Promise<void> => {
  if (protocol === 'none') return
  const speech = createSpeech(socket)
  try {
    await DIALOGUES[protocol](speech)
    // What follows in clear would be taken for a part of the encrypted talk: an old way to slip commands in.
    if (speech.left() > 0) throw refused(words.tooMuch)
  } finally {
    speech.end()
  }
}

const refused = (message: string): StartTlsRefused => new StartTlsRefused(failure('tls', message))
const unexpected = (text: string): StartTlsRefused =>
  new StartTlsRefused(
    failure(
      'protocol',
      words.unexpected(
        text
          .replace(/\p{Cc}/gu, ' ')
          .trim()
          .slice(0, 100),
      ),
    ),
  )

interface Speech {
  readonly say: (line: string) => void
  readonly send: (bytes: Buffer) => void
  /** The next line without its end. */
  readonly line: () => Promise<string>
  readonly bytes: (count: number) => Promise<Buffer>
  /** Bytes that came and were not read. */
  readonly left: () => number
  readonly end: () => void
}

const createSpeech = (socket: Socket): Speech => {
  let held = Buffer.alloc(0)
  let total = 0
  let problem: Error | null = null
  let wake: (() => void) | null = null
  const fail = (error: Error): void => {
    problem ??= error
    wake?.()
  }
  const onData = (chunk: Buffer): void => {
    total += chunk.length
    held = Buffer.concat([held, chunk])
    if (total > CLEAR_MAX) fail(refused(words.tooMuch))
    else wake?.()
  }
  const onEnd = (): void => fail(new StartTlsRefused(failure('protocol', fr.closed)))
  socket.on('data', onData)
  socket.on('error', fail)
  socket.on('close', onEnd)
  const until = async (length: () => number): Promise<Buffer> => {
    for (;;) {
      if (problem !== null) throw problem
      const size = length()
      if (size > 0) {
        const taken = held.subarray(0, size)
        held = held.subarray(size)
        return taken
      }
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  return {
    say: line => socket.write(`${line}\r\n`),
    send: bytes => socket.write(bytes),
    line: async () => (await until(() => held.indexOf('\n') + 1)).toString('latin1').trimEnd(),
    bytes: count => until(() => (held.length >= count ? count : 0)),
    left: () => held.length,
    end: () => {
      socket.off('data', onData)
      socket.off('error', fail)
      socket.off('close', onEnd)
      socket.pause()
    },
  }
}

/** A reply of SMTP or FTP, its continued lines included; refused unless it bears this code. */
const reply = async (speech: Speech, code: string): Promise<readonly string[]> => {
  const lines: string[] = []
  for (;;) {
    const line = await speech.line()
    lines.push(line)
    if (/^\d{3}-/.test(line)) continue
    if (line.startsWith(code)) return lines
    // FTP lets the lines between say anything.
    if (lines.length > 1 && !/^\d{3} /.test(line)) continue
    throw unexpected(line)
  }
}

const expectLine = async (speech: Speech, pattern: RegExp, refusal?: string): Promise<void> => {
  for (;;) {
    const line = await speech.line()
    if (pattern.test(line)) return
    // IMAP may say other things between.
    if (refusal !== undefined && line.startsWith('* ')) continue
    throw refusal === undefined ? unexpected(line) : refused(refusal)
  }
}

const LDAP_SUCCESS = 0
/** RFC 4511, 4.14.1: ExtendedRequest with the name of StartTLS. */
const LDAP_START_TLS = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
])
/** SSLRequest: length and code (PostgreSQL protocol 3.0). */
const POSTGRESQL_SSL = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

const DIALOGUES: Readonly<Record<Exclude<StartTls, 'none'>, (speech: Speech) => Promise<void>>> = {
  smtp: async speech => {
    await reply(speech, '220')
    speech.say('EHLO narval')
    const offers = await reply(speech, '250')
    if (!offers.some(line => /^250[ -]STARTTLS\b/i.test(line))) throw refused(words.notOffered)
    speech.say('STARTTLS')
    await reply(speech, '220')
  },
  imap: async speech => {
    await expectLine(speech, /^\* OK/i)
    speech.say('a1 STARTTLS')
    await expectLine(speech, /^a1 OK/i, words.notOffered)
  },
  pop3: async speech => {
    await expectLine(speech, /^\+OK/i)
    speech.say('STLS')
    await expectLine(speech, /^\+OK/i, words.notOffered)
  },
  ftp: async speech => {
    await reply(speech, '220')
    speech.say('AUTH TLS')
    const line = await speech.line()
    if (!line.startsWith('234')) throw refused(words.notOffered)
  },
  ldap: async speech => {
    speech.send(LDAP_START_TLS)
    const head = await speech.bytes(2)
    const length = head[1] ?? 0
    if (head[0] !== 0x30 || length < 10 || length > 0x7f) throw unexpected(words.noLdap)
    const body = await speech.bytes(length)
    // Message 1, ExtendedResponse, its length, then the result as an enumeration of one byte.
    if (body[3] !== 0x78 || body[5] !== 0x0a) throw unexpected(words.noLdap)
    if (body[7] !== LDAP_SUCCESS) throw refused(words.notOffered)
  },
  postgresql: async speech => {
    speech.send(POSTGRESQL_SSL)
    const answer = await speech.bytes(1)
    if (answer.toString('latin1') === 'N') throw refused(words.notOffered)
    if (answer.toString('latin1') !== 'S') throw unexpected(words.noPostgresql)
  },
}

const words = {
  notOffered: 'le service ne propose pas de passer à TLS',
  tooMuch: 'le service parle en clair là où il devrait passer à TLS',
  unexpected: (text: string) => `réponse inattendue avant TLS : « ${text} »`,
  noLdap: 'ce n’est pas une réponse LDAP',
  noPostgresql: 'ce n’est pas une réponse PostgreSQL',
} as const
