import { absoluteLink } from '@narval/contracts'
import { hostOf, JSON_TYPE, ownHeaders, sendHttp } from '../http-send.ts'
import { factsOf, headOf, reasonLine, standingOf } from '../message-lines.ts'
import type { Outgoing, Sender } from '../sender.ts'

const ACCENTS = { error: 'Attention', warning: 'Warning', unknown: 'Default', ok: 'Good' } as const
/** Incidents shown in full: a card holds 28 kB. */
const SHOWN = 10
const FACT_MAX = 500

/** An adaptive card posted to a workflow « When a Teams webhook request is received ». */
export const sendTeams: Sender<'teams'> = outgoing => {
  const url = outgoing.secrets.url ?? ''
  const headers = { 'content-type': JSON_TYPE, ...ownHeaders(outgoing.around.key) }
  const body = JSON.stringify({
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card(outgoing) },
    ],
  })
  return sendHttp({ url, method: 'POST', headers, body }, hostOf(url), outgoing.stop)
}

const card = ({ message, around }: Outgoing) => {
  const link = absoluteLink(around.base, message.link)
  const others = message.incidents.length - SHOWN
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      text(message.subject, { size: 'Large', weight: 'Bolder', color: ACCENTS[message.severity] }),
      ...message.text.map(paragraph => text(paragraph)),
      ...message.incidents.slice(0, SHOWN).flatMap(incident => [
        text(headOf(incident), {
          ...{ weight: 'Bolder', separator: true, color: ACCENTS[standingOf(incident).severity] },
        }),
        {
          type: 'FactSet',
          facts: factsOf(incident, message).map(([title, value]) => ({
            title,
            value: plain(value.slice(0, FACT_MAX)),
          })),
        },
      ]),
      ...(others > 0 ? [text(`… et ${others} autres.`)] : []),
      ...reasonLine(around).map(line => text(line, { isSubtle: true, size: 'Small', separator: true })),
    ],
    ...(link === '' ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Voir dans la console', url: link }] }),
  }
}

const text = (words: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ type: 'TextBlock', text: plain(words), wrap: true },
  ...more,
})
/** A card reads Markdown: names stay as they are. */
const plain = (words: string): string => words.replace(/[\\`*_[\]()#<>~]/g, '\\$&')
