import { createHash } from 'node:crypto'
import { connect, isIP, type Socket } from 'node:net'
import type { ChannelSettings } from '@narval/contracts'
import { createTransport } from 'nodemailer'
import { guardedLookup, isRefusedAddress, RefusedAddress } from '../../../outgoing/guarded-request.ts'
import { networkFault } from '../../../outgoing/network-fault.ts'
import { CHART_ID, mailHtml } from '../mail-html.ts'
import { plainLines } from '../message-lines.ts'
import { type Outgoing, type Sender, type SendResult, sent, unsent } from '../sender.ts'

/** Silence of the server that is waited out, and the time of a whole delivery. */
const SILENCE_MS = 10_000
const WHOLE_MS = 30_000

export const sendEmail: Sender<'email'> = async outgoing => {
  const to = addressesOf(outgoing)
  if (to.length === 0) return unsent('', nobody(outgoing), { permanent: outgoing.person !== null })
  const recipient = to.join(', ')
  const place = `${outgoing.settings.host}:${outgoing.settings.port}`
  let socket: Socket | null = null
  const give = AbortSignal.any([AbortSignal.timeout(WHOLE_MS), outgoing.stop])
  const cut = (): void => void socket?.destroy(new DOMException('cut', 'TimeoutError'))
  give.addEventListener('abort', cut)
  try {
    socket = await connected(outgoing.settings)
    if (give.aborted) cut()
    const mail = await mailOf(outgoing, to)
    const transport = createTransport({ ...transportOf(outgoing), connection: socket })
    const answered = await transport.sendMail(mail)
    return sent(recipient, refusedLine(answered.rejected) + answered.response)
  } catch (error) {
    return faultOf(error, recipient, place)
  } finally {
    give.removeEventListener('abort', cut)
    socket?.destroy()
  }
}

const addressesOf = ({ settings, person, address }: Outgoing<'email'>): readonly string[] => {
  if (address !== null) return [address]
  if (person === null) return settings.to
  return person.email === '' ? [] : [person.email]
}
const nobody = ({ person }: Outgoing): string =>
  person === null
    ? 'Ce canal n’a aucune adresse\u202f: indiquez-en une.'
    : `${person.name || person.login} n’a pas d’adresse e-mail.`

const transportOf = ({ settings, secrets }: Outgoing<'email'>) => ({
  host: settings.host,
  port: settings.port,
  secure: settings.security === 'tls',
  requireTLS: settings.security === 'starttls',
  ignoreTLS: settings.security === 'none',
  tls: {
    ...{ rejectUnauthorized: settings.checkCertificate, minVersion: 'TLSv1.2' as const },
    // An address is no name to ask a certificate for (RFC 6066, 3).
    ...(isIP(settings.host) === 0 ? { servername: settings.host } : {}),
  },
  ...(settings.user === '' ? {} : { auth: { user: settings.user, pass: secrets.password ?? '' } }),
  connectionTimeout: SILENCE_MS,
  greetingTimeout: SILENCE_MS,
  socketTimeout: SILENCE_MS,
  maxResponseSize: 65_536,
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** A connection of our own, so that nothing of the server can hold it longer than said. */
const connected = ({ host, port }: ChannelSettings<'email'>): Promise<Socket> =>
  new Promise((resolve, reject) => {
    if (isRefusedAddress(host)) return reject(new RefusedAddress(host))
    const socket = connect({ host, port, lookup: guardedLookup })
    socket.setTimeout(SILENCE_MS, () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })))
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.setTimeout(0)
      socket.removeListener('error', reject)
      resolve(socket)
    })
  })

const mailOf = async (outgoing: Outgoing<'email'>, to: readonly string[]) => {
  const { settings, message, around, product } = outgoing
  const picture = await outgoing.picture()
  const domain = settings.from.slice(settings.from.lastIndexOf('@') + 1)
  const [incident] = message.incidents
  return {
    from: { name: oneLine(settings.fromName), address: settings.from },
    to: to.map(address => ({ name: '', address })),
    ...(settings.replyTo === '' ? {} : { replyTo: settings.replyTo }),
    subject: oneLine(message.subject),
    // The same each time that it is sent again: a client shows it once.
    messageId: `<narval-${createHash('sha256').update(around.key).digest('hex').slice(0, 32)}@${domain}>`,
    // One conversation an incident.
    ...(incident === undefined ? {} : { references: `<narval-incident-${incident.id}@${domain}>` }),
    text: [message.subject, '', ...plainLines(message, around), '', '-- ', around.reason].join('\n'),
    html: mailHtml(message, around, { product, picture }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      // As it is: encoded words are not for what stands between angle brackets.
      'List-Id': { prepared: true, value: `Notifications <narval.${domain}>` },
      'X-Narval-Key': oneLine(around.key),
    },
    ...(picture === null
      ? {}
      : {
          attachments: [
            {
              ...{ filename: 'graphique.png', content: picture.png, contentType: 'image/png' },
              ...{ cid: CHART_ID, contentDisposition: 'inline' as const },
            },
          ],
        }),
  }
}

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const oneLine = (text: string): string => text.replace(CONTROL, ' ').trim()

const refusedLine = (rejected: readonly unknown[]): string =>
  rejected.length === 0 ? '' : `Refusés par le serveur\u202f: ${rejected.map(addressText).join(', ')}\n`
const addressText = (one: unknown): string =>
  typeof one === 'object' && one !== null && 'address' in one ? String(one.address) : String(one)

/** Replies by which a server says that the mailbox will never take it. */
const NEVER = new Set([550, 551, 553, 556])

const faultOf = (error: unknown, recipient: string, place: string): SendResult => {
  const said = error instanceof Error && 'response' in error ? String(error.response ?? '').slice(0, 500) : ''
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  const told = (what: string, permanent = false): SendResult =>
    unsent(recipient, `${place}\u202f: ${what}.`, { answer: said, permanent })
  if (code === 'EAUTH') return told('le nom d’utilisateur ou le mot de passe est refusé')
  if (code === 'ENOAUTH') return told('un mot de passe est attendu')
  if (code === 'ETLS' && /STARTTLS/.test(error instanceof Error ? error.message : ''))
    return told('le serveur ne propose pas STARTTLS')
  if (code === 'EENVELOPE') return told(`le destinataire ou l’expéditeur est refusé (${status})`, NEVER.has(status))
  if (code === 'EMESSAGE' || status >= 400) return told(`le message est refusé (${status})`)
  return unsent(recipient, networkFault(error, place), { answer: said })
}
