import { absoluteLink } from '@narval/contracts'
import { hostOf, JSON_TYPE, ownHeaders, sendHttp } from '../http-send.ts'
import { plainLines, reasonLine } from '../message-lines.ts'
import type { Sender } from '../sender.ts'

/** Emoji that ntfy shows before the title: https://docs.ntfy.sh/emojis */
const EMOJIS = {
  error: 'rotating_light',
  warning: 'warning',
  unknown: 'grey_question',
  ok: 'white_check_mark',
} as const
/** Beyond 4,096 bytes ntfy makes an attachment of a message. */
const MESSAGE_BYTES = 4_000

/** Published as JSON, which takes any character where headers take ASCII alone. */
export const sendNtfy: Sender<'ntfy'> = ({ settings, secrets, message, around, stop }) => {
  const click = absoluteLink(around.base, message.link)
  const lines = plainLines(message, { ...around, base: null }).join('\n')
  // Long messages lose their middle, not why they came.
  const why = cut(
    reasonLine(around)
      .map(line => `\n\n${line}`)
      .join(''),
    MESSAGE_BYTES / 2,
  )
  const body = JSON.stringify({
    topic: settings.topic,
    title: message.subject.slice(0, 200),
    message: [cut(lines, MESSAGE_BYTES - Buffer.byteLength(why)) || message.subject, why].join(''),
    priority: settings.priorities[message.severity],
    tags: [EMOJIS[message.severity], ...settings.tags],
    ...(click === '' ? {} : { click }),
  })
  const headers = {
    'content-type': JSON_TYPE,
    ...ownHeaders(around.key),
    ...(secrets.token === undefined ? {} : { authorization: `Bearer ${secrets.token}` }),
  }
  const url = settings.server.replace(/\/+$/, '/')
  return sendHttp({ url, method: 'POST', headers, body }, `${hostOf(url)}/${settings.topic}`, stop)
}

const cut = (text: string, bytes: number): string =>
  Buffer.byteLength(text) <= bytes
    ? text
    : `${Buffer.from(text)
        .subarray(0, bytes)
        .toString('utf8')
        .replace(/\ufffd$/, '')}…`
