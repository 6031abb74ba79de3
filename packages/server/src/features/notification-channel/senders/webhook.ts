import { createHmac } from 'node:crypto'
import { fillTemplate, templateValues } from '@narval/contracts'
import { toIso } from '../../../store/time.ts'
import { hostOf, JSON_TYPE, ownHeaders, sendHttp } from '../http-send.ts'
import type { Outgoing, Sender } from '../sender.ts'

/** Calls the address with the filled template; signed when a signing key was given. */
export const sendWebhook: Sender<'webhook'> = ({ settings, secrets, message, around, nowMs, stop }) => {
  const body = JSON.stringify(fillTemplate(settings.body, templateValues(message, around)))
  const headers = {
    ...Object.fromEntries(settings.headers.map(({ name, value }) => [name.toLowerCase(), value])),
    'content-type': JSON_TYPE,
    ...ownHeaders(around.key),
    ...authorization(secrets),
    ...(secrets.signingKey === undefined ? {} : signature(secrets.signingKey, toIso(nowMs), body)),
  }
  return sendHttp({ url: settings.url, method: settings.method, headers, body }, hostOf(settings.url), stop)
}

export const authorization = ({ authorization }: Outgoing['secrets']): Record<string, string> =>
  authorization === undefined ? {} : { authorization }

/** HMAC-SHA256 over `<time>.<body>`: a receiver refuses what it has not been sent, and what is too old. */
const signature = (key: string, at: string, body: string): Record<string, string> => ({
  'x-narval-time': at,
  'x-narval-signature': `sha256=${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`,
})
