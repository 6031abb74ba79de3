import { CHANNEL_SETTINGS, type ChannelKind, type NotificationMessage } from '@narval/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../../testing/receiver.ts'
import { createChannelSend } from './channel-send.ts'
import { partsOf, septets } from './sms-text.ts'

const message: NotificationMessage = {
  ...{ kind: 'problem', severity: 'error', at: '2026-07-14T03:00:00.000Z', link: '/dashboard/live-view/incident/12' },
  subject: 'Erreur — <!channel> *srv*',
  text: ['srv ne répond plus.'],
  incidents: [
    {
      ...{ id: 12, title: 'srv | @all', severity: 'error', since: '2026-07-14T02:58:40.000Z', until: null },
      ...{ information: 'Délai dépassé après 2 s', siteName: 'Lyon', hostName: 'srv', instruction: '', metricId: null },
      ...{ link: '/dashboard/live-view/incident/12', chain: [] },
    },
  ],
}
const send = createChannelSend({
  charts: async () => null,
  now: () => Date.parse(message.at),
  base: () => 'https://narval.exemple.fr',
  product: () => 'Narval',
})
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())
beforeEach(() => {
  receiver.received.length = 0
})

const by = (
  kind: ChannelKind,
  settings: object,
  secrets: Readonly<Record<string, string>> = {},
  told: NotificationMessage = message,
) =>
  send(
    { kind, settings: CHANNEL_SETTINGS[kind].parse(settings), secrets },
    {
      ...{ key: 'cle-12', message: told, reason: 'Règle « Astreinte ».', ruleName: 'Astreinte', address: null },
      person: { id: 1, login: 'marie', name: 'Marie', email: '', phone: '+33612345678', enabled: true },
      stop: new AbortController().signal,
    },
  )
const body = () => JSON.parse(receiver.received[0]?.body ?? 'null')

describe('what each kind of channel is sent', () => {
  it('Slack: its own markup, in which names stay names and wake nobody', async () => {
    expect((await by('slack', {}, { url: receiver.url })).ok).toBe(true)
    expect(body().text).toContain(
      '<https://narval.exemple.fr/dashboard/live-view/incident/12|Erreur — &lt;!channel&gt; *srv*>',
    )
    expect(body().text.split('\n').at(-1)).toBe('Règle « Astreinte ».')
    expect(body().attachments).toMatchObject([{ color: '#d1293d', fallback: 'Erreur — srv | @all' }])
  })

  it('Mattermost: Markdown with its marks escaped, in the channel that was chosen', async () => {
    await by('mattermost', { channel: 'astreinte', username: 'Narval' }, { url: receiver.url })
    expect(body()).toMatchObject({ channel: 'astreinte', username: 'Narval' })
    expect(body().text).toContain('\\*srv\\*')
    expect(body().attachments[0].title).not.toContain('@all')
  })

  it('Teams: an adaptive card with its facts and a button to the console', async () => {
    await by('teams', {}, { url: receiver.url })
    const [{ contentType, content }] = body().attachments
    expect([contentType, content.type]).toEqual(['application/vnd.microsoft.card.adaptive', 'AdaptiveCard'])
    expect(JSON.stringify(content.body)).toContain('Délai dépassé après 2 s')
    expect(content.body.at(-1).text).toBe('Règle « Astreinte ».')
    expect(content.actions[0].url).toBe('https://narval.exemple.fr/dashboard/live-view/incident/12')
  })

  it('ntfy: a priority by severity, a title with accents, the place to open, the token', async () => {
    const server = `http://127.0.0.1:${receiver.port}`
    await by('ntfy', { server, topic: 'astreinte', tags: ['lyon'] }, { token: 'tk_essai' })
    expect(body()).toMatchObject({
      topic: 'astreinte',
      priority: 5,
      tags: ['rotating_light', 'lyon'],
      title: message.subject,
    })
    expect(body().message.split('\n').at(-1)).toBe('Règle « Astreinte ».')
    expect(body().click).toBe('https://narval.exemple.fr/dashboard/live-view/incident/12')
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer tk_essai')
  })

  it('SMS: the number and the text, in JSON, in a form or in the address, none of which they can leave', async () => {
    const url = `${receiver.url}?cle={secret}&a={number}`
    const json = await by('sms', { url, body: '{"to": ["{number}"], "text": "{text}"}' }, { secret: 'm&t de passe' })
    expect([json.ok, json.recipient]).toEqual([true, '+33612345678'])
    expect(receiver.received[0]?.path).toBe('/appel?cle=m%26t%20de%20passe&a=%2B33612345678')
    expect(body()).toMatchObject({ to: ['+33612345678'], text: expect.stringContaining('Délai') })
    receiver.received.length = 0
    await by('sms', { url, format: 'form', body: 'to={number}&text={text}' })
    expect(new URLSearchParams(receiver.received[0]?.body).get('to')).toBe('+33612345678')
    receiver.received.length = 0
    await by('sms', { url: `${receiver.url}?to={number}&text={text}`, method: 'GET' })
    expect(new URL(receiver.received[0]?.path ?? '', receiver.url).searchParams.get('text')).toContain('<!channel>')
    expect(receiver.received[0]?.body).toBe('')
  })

  it('SMS: as many parts as the channel allows, the cause of what lasts, the first sentence of what is over', async () => {
    const long = { ...message, incidents: message.incidents.map(one => ({ ...one, information: 'mot '.repeat(200) })) }
    const sent = async (parts: number, told: NotificationMessage) => {
      receiver.received.length = 0
      await by('sms', { url: receiver.url, body: '{"text": "{text}"}', parts }, {}, told)
      return String(body().text)
    }
    const [one, three] = [await sent(1, long), await sent(3, long)]
    expect([septets(one) <= 160, partsOf(three), septets(three) > 400]).toEqual([true, 3, true])
    expect([one.startsWith('Erreur - '), three.startsWith('Erreur - '), three.endsWith('mot...')]).toEqual([
      ...[true, true, true],
    ])
    const over: NotificationMessage = {
      ...{ ...message, kind: 'recovery', severity: 'ok', text: ['Tout est rétabli, après 3 min.', 'Autre phrase.'] },
      incidents: message.incidents.map(one => ({ ...one, until: message.at })),
    }
    const told = await sent(2, over)
    expect(told).toContain('Tout est rétabli, après 3 min.'.replace('â', 'a'))
    expect([told.includes('Délai'), told.includes('Autre phrase')]).toEqual([false, false])
    expect(told.endsWith('https://narval.exemple.fr/dashboard/live-view/incident/12')).toBe(true)
  })

  it('SMS to the numbers of the channel: one call a number, and what one got is not sent again because of another', async () => {
    const calls: string[] = []
    receiver.answerWith((response, { headers }) => {
      calls.push(String(headers['x-narval-key']))
      response.writeHead(calls.length === 1 ? 200 : 500).end()
    })
    const result = await send(
      {
        ...{ kind: 'sms', secrets: {} },
        settings: CHANNEL_SETTINGS.sms.parse({ url: receiver.url, to: ['+33600000001', '+33600000002'] }),
      },
      {
        ...{ key: 'cle-12', message, reason: '', ruleName: '', address: null, person: null },
        stop: new AbortController().signal,
      },
    )
    receiver.answerWith(response => response.end('reçu'))
    expect(calls).toEqual(['cle-12-33600000001', 'cle-12-33600000002'])
    expect([result.ok, result.answer.includes('a une panne (500)')]).toEqual([true, true])
  })
})
