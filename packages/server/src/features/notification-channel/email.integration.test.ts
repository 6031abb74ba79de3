import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { NotificationMessage } from '@narval/contracts'
import { NO_THRESHOLDS } from '@narval/engine'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { createChannelSend, type Parcel } from './channel-send.ts'
import { createCharts } from './chart-picture.ts'

const atMs = Date.parse('2026-07-14T03:00:00Z')
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A real SMTP server on loopback that keeps what it is given. */
const openSmtp = async (options: SMTPServerOptions = {}) => {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'narval' && password === 'secret-smtp'
        ? done(null, { user: 'narval' })
        : done(new Error('Bad credentials')),
    onData: (stream, _session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        mails.push(Buffer.concat(parts).toString('utf8'))
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  closing.push(() => new Promise(resolve => server.close(() => resolve())))
  // The one cast: a server that listens on a port has such an address.
  return { port: (server.server.address() as AddressInfo).port, mails, server }
}

const message: NotificationMessage = {
  ...{ kind: 'problem', severity: 'error', at: new Date(atMs).toISOString(), link: '/dashboard/live-view/incident/12' },
  subject: 'Erreur — srv-é\r\nBcc: pirate@exemple.fr',
  text: ['Le serveur <script>alert(1)</script> ne répond plus.'],
  incidents: [
    {
      ...{ id: 12, title: 'srv & "fils" : Ping', severity: 'error', since: new Date(atMs).toISOString(), until: null },
      ...{
        information: 'Délai dépassé après 2 s',
        siteName: 'Lyon <b>',
        hostName: 'srv',
        instruction: '',
        metricId: 7,
      },
      ...{ link: '/dashboard/live-view/incident/12', chain: [] },
    },
  ],
}
const parcel = (more: Partial<Parcel> = {}): Parcel => ({
  ...{
    key: 'incident-12-problem-marie',
    message,
    reason: 'Règle « Astreinte ».',
    ruleName: 'Astreinte',
    address: null,
  },
  person: { id: 1, login: 'marie', name: 'Marie', email: 'marie@exemple.fr', phone: '', enabled: true },
  stop: new AbortController().signal,
  ...more,
})
const points = 180
const charts = createCharts(
  () => ({
    unit: 'ms',
    type: 'gauge',
    title: 'srv — Temps de réponse',
    intervalMs: 60_000,
    thresholds: { ...NO_THRESHOLDS, warningHigh: 80 },
  }),
  {
    range: async () => ({
      stepMs: 0,
      series: [
        {
          series: 7,
          atMs: Float64Array.from({ length: points }, (_, n) => atMs - (points - n) * 60_000),
          value: Float64Array.from({ length: points }, (_, n) => 40 + 50 * Math.sin(n / 20)),
          ...{ min: new Float64Array(), max: new Float64Array(), count: new Float64Array() },
        },
      ],
    }),
  },
)
const send = createChannelSend({
  charts,
  now: () => atMs,
  base: () => 'https://narval.exemple.fr',
  product: () => 'Narval',
})
const email = (port: number, settings: object = {}, password = 'secret-smtp') => ({
  kind: 'email' as const,
  settings: {
    host: '127.0.0.1',
    port,
    user: 'narval',
    from: 'narval@exemple.fr',
    checkCertificate: false,
    ...settings,
  },
  secrets: { password },
})
/** Headers unfolded, by lower case name. */
const headersOf = (mail: string): Map<string, string> => {
  const [head = ''] = mail.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return new Map(lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]))
}

describe('e-mail', () => {
  it('goes out over STARTTLS with the headers of a machine, escaped texts and the chart inside', async () => {
    const smtp = await openSmtp()
    const result = await send(email(smtp.port), parcel())
    expect([result.error, result.ok, result.recipient]).toEqual(['', true, 'marie@exemple.fr'])
    expect(result.answer).toMatch(/^250 /)
    const mail = smtp.mails[0] ?? ''
    const headers = headersOf(mail)
    expect([...headers.keys()].filter(name => name === 'bcc')).toEqual([])
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.get('list-id')).toContain('narval.exemple.fr')
    expect(headers.get('x-narval-key')).toBe('incident-12-problem-marie')
    expect(headers.get('message-id')).toMatch(/^<narval-[0-9a-f]{32}@exemple\.fr>$/)
    const html = decoded(mail, 'text/html')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toContain('Lyon &lt;b&gt;')
    expect(html).toContain('https://narval.exemple.fr/dashboard/live-view/incident/12')
    expect(html).toContain('cid:graphique@narval')
    expect(decoded(mail, 'text/plain')).toContain('Délai dépassé après 2 s')
    const png = Buffer.from(part(mail, 'image/png').replace(/\s/g, ''), 'base64')
    expect([png.subarray(1, 4).toString(), png.readUInt32BE(16)]).toEqual(['PNG', 1_184])
    expect(png.length).toBeLessThan(80_000)
  })

  it('sent again has the same Message-ID', async () => {
    const smtp = await openSmtp()
    await send(email(smtp.port), parcel())
    await send(email(smtp.port), parcel())
    await send(email(smtp.port), parcel({ key: 'autre' }))
    const ids = smtp.mails.map(mail => headersOf(mail).get('message-id'))
    expect(new Set(ids).size).toBe(2)
    expect(ids[0]).toBe(ids[1])
  })

  it('is told in French when the password is wrong, without the password', async () => {
    const smtp = await openSmtp()
    const result = await send(email(smtp.port, {}, 'faux-mot-de-passe'), parcel())
    expect(result).toMatchObject({ ok: false, permanent: false })
    expect(result.error).toContain('le nom d’utilisateur ou le mot de passe est refusé')
    expect(JSON.stringify(result)).not.toContain('faux-mot-de-passe')
    expect(result.answer).toMatch(/^535 /)
  })

  it('is given up at once when the server says that the mailbox does not exist, and tried again when it is only full', async () => {
    const refusal = (status: number) => Object.assign(new Error('no'), { responseCode: status })
    const gone = await openSmtp({ onRcptTo: (_address, _session, done) => done(refusal(550)) })
    expect(await send(email(gone.port), parcel())).toMatchObject({ ok: false, permanent: true, answer: '550 no' })
    const full = await openSmtp({ onRcptTo: (_address, _session, done) => done(refusal(452)) })
    expect(await send(email(full.port), parcel())).toMatchObject({ ok: false, permanent: false })
  })

  it('never goes in clear text where STARTTLS was asked for, nor to a certificate that nobody vouches for', async () => {
    const plain = await openSmtp({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    const refused = await send(email(plain.port), parcel())
    expect([refused.ok, plain.mails, refused.error]).toEqual([false, [], expect.stringContaining('STARTTLS')])
    const tls = await openSmtp({ secure: true })
    const unknown = await send(email(tls.port, { security: 'tls', checkCertificate: true }), parcel())
    expect([unknown.ok, tls.mails]).toEqual([false, []])
    expect(unknown.error).toMatch(/certificat/)
    expect((await send(email(tls.port, { security: 'tls' }), parcel())).ok).toBe(true)
  })

  it('is not taken for sent by a server that dies in the middle of it', async () => {
    const smtp = await openSmtp({
      onData: (stream, _session, _done) => {
        stream.resume()
        for (const connection of smtp.server.connections) connection.close()
      },
    })
    expect(await send(email(smtp.port, { security: 'none' }), parcel())).toMatchObject({ ok: false, permanent: false })
  })

  it('waits 10 s at most for a server that says nothing', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    closing.push(() => new Promise(resolve => silent.close(() => resolve())))
    const { port } = silent.address() as AddressInfo
    const result = await send(email(port), parcel())
    expect([result.ok, result.error]).toEqual([false, expect.stringContaining('délai dépassé')])
    expect(result.durationMs).toBeLessThan(15_000)
  }, 20_000)

  it('is not sent to who has no address, and says so', async () => {
    const smtp = await openSmtp()
    const person = { id: 1, login: 'marie', name: 'Marie', email: '', phone: '', enabled: true }
    expect(await send(email(smtp.port), parcel({ person }))).toMatchObject({
      ...{ ok: false, permanent: true, error: 'Marie n’a pas d’adresse e-mail.' },
    })
  })
})

const part = (mail: string, type: string): string => {
  const at = mail.indexOf(`Content-Type: ${type}`)
  const body = mail.slice(mail.indexOf('\r\n\r\n', at) + 4)
  return body.slice(0, body.indexOf('\r\n--'))
}
const decoded = (mail: string, type: string): string => {
  const at = mail.indexOf(`Content-Type: ${type}`)
  const head = mail.slice(at, mail.indexOf('\r\n\r\n', at))
  const text = part(mail, type)
  if (/base64/i.test(head)) return Buffer.from(text, 'base64').toString('utf8')
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
