import { absoluteLink } from '@narval/contracts'
import { hostOf, JSON_TYPE, ownHeaders, sendHttp } from '../http-send.ts'
import { COLOURS, factsOf, headOf, reasonLine, standingOf } from '../message-lines.ts'
import type { Outgoing, Sender } from '../sender.ts'

/** How one chat writes what matters; texts of others come through `plain`, so that they stay texts. */
interface Markup {
  plain(text: string): string
  bold(text: string): string
  link(text: string, address: string): string
}
/** Slack's own: https://api.slack.com/reference/surfaces/formatting (three characters are to be escaped). */
const SLACK: Markup = {
  plain: text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  bold: text => `*${text}*`,
  link: (text, address) => `<${address}|${text.replaceAll('|', '¦')}>`,
}
/** Markdown; a mention of everybody in a name wakes nobody. */
const MARKDOWN: Markup = {
  plain: text => text.replace(/[\\`*_{}[\]()#+!|<>~]/g, '\\$&').replaceAll('@', '@\u200b'),
  bold: text => `**${text}**`,
  link: (text, address) => `[${text}](${address})`,
}

export const sendSlack: Sender<'slack'> = outgoing => post(outgoing, { ...bodyOf(outgoing, SLACK) })
export const sendMattermost: Sender<'mattermost'> = outgoing => {
  const { channel, username } = outgoing.settings
  const more = { ...(channel === '' ? {} : { channel }), ...(username === '' ? {} : { username }) }
  return post(outgoing, { ...bodyOf(outgoing, MARKDOWN), ...more })
}

const post = ({ secrets, around, stop }: Outgoing, body: Record<string, unknown>) => {
  const url = secrets.url ?? ''
  const headers = { 'content-type': JSON_TYPE, ...ownHeaders(around.key) }
  return sendHttp({ url, method: 'POST', headers, body: JSON.stringify(body) }, hostOf(url), stop)
}

/** Incidents shown in full; the others are counted. */
const SHOWN = 10

const bodyOf = ({ message, around }: Outgoing, { plain, bold, link }: Markup) => {
  const address = absoluteLink(around.base, message.link)
  const subject = address === '' ? bold(plain(message.subject)) : link(plain(message.subject), address)
  const others = message.incidents.length - SHOWN
  const paragraphs = [...message.text, ...(others > 0 ? [`… et ${others} autres.`] : []), ...reasonLine(around)]
  return {
    text: [subject, ...paragraphs.map(plain)].join('\n'),
    attachments: message.incidents.slice(0, SHOWN).map(incident => {
      const place = absoluteLink(around.base, incident.link)
      const title = headOf(incident)
      return {
        color: COLOURS[standingOf(incident).severity],
        fallback: title,
        title: plain(title),
        ...(place === '' ? {} : { title_link: place }),
        text: factsOf(incident, message)
          .map(([name, text]) => `${bold(name)}\u202f: ${plain(text)}`)
          .join('\n'),
        mrkdwn_in: ['text'],
      }
    }),
  }
}
