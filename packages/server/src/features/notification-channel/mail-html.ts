import { absoluteLink, type MessageSurroundings, type NotificationMessage } from '@narval/contracts'
import { COLOURS, factsOf, standingOf } from './message-lines.ts'
import type { Picture } from './sender.ts'

/** Content-ID of the picture of the chart. */
export const CHART_ID = 'graphique@narval'

/** Every text of others goes through it. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/**
 * The message as clients of mail read it: tables and inline styles, no script, nothing fetched from anywhere. Colours
 * are said for both schemes; a client that turns them around finds mid tones that stay readable.
 */
export const mailHtml = (
  message: NotificationMessage,
  around: MessageSurroundings,
  more: { readonly product: string; readonly picture: Picture | null },
): string => {
  const link = absoluteLink(around.base, message.link)
  return `<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(message.subject)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){.page{background:#111722!important}.card{background:#1b2433!important;border-color:#33415a!important}.ink{color:#e8edf5!important}.soft{color:#a9b6c9!important}}</style></head>
<body class="page" style="margin:0;padding:16px;background:#eef2f7;font-family:Inter,'Segoe UI',Roboto,Arial,sans-serif">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:640px;margin:0 auto;background:#ffffff;border:1px solid #d5dde8;border-radius:8px">
<tr><td style="height:6px;background:${COLOURS[message.severity]};border-radius:8px 8px 0 0;font-size:0">&nbsp;</td></tr>
<tr><td style="padding:20px 24px">
<h1 class="ink" style="margin:0 0 12px;font-size:20px;line-height:1.3;color:#16202e">${escapeHtml(message.subject)}</h1>
${message.text.map(text => `<p class="ink" style="margin:0 0 10px;font-size:15px;line-height:1.5;color:#16202e">${lines(text)}</p>`).join('\n')}
${message.incidents.map(incident => incidentHtml(incident, message, around)).join('\n')}
${more.picture === null ? '' : pictureHtml(more.picture)}
${link === '' ? '' : `<p style="margin:20px 0 4px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 18px;background:#1f5fbf;color:#ffffff;text-decoration:none;border-radius:6px;font-size:15px">Voir dans la console</a></p>`}
</td></tr>
<tr><td class="soft" style="padding:12px 24px 18px;font-size:12px;line-height:1.5;color:#5b6878">${escapeHtml(footer(around, more.product))}</td></tr>
</table></body></html>`
}

const lines = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')

const incidentHtml = (
  incident: NotificationMessage['incidents'][number],
  message: NotificationMessage,
  around: MessageSurroundings,
): string => {
  const { severity, word } = standingOf(incident)
  const link = absoluteLink(around.base, incident.link)
  const title = escapeHtml(incident.title)
  const rows = factsOf(incident, message).map(
    ([name, text]) =>
      `<tr><td class="soft" style="padding:3px 12px 3px 0;font-size:13px;color:#5b6878;vertical-align:top;white-space:nowrap">${escapeHtml(name)}</td><td class="ink" style="padding:3px 0;font-size:14px;color:#16202e">${lines(text)}</td></tr>`,
  )
  return `<table role="presentation" cellpadding="0" cellspacing="0" width="100%" style="margin:14px 0 0;border-left:4px solid ${COLOURS[severity]}"><tr><td style="padding:2px 0 2px 12px">
<p class="ink" style="margin:0 0 6px;font-size:15px;font-weight:600;color:#16202e"><span style="display:inline-block;padding:1px 8px;margin-right:8px;border-radius:10px;background:${COLOURS[severity]};color:#ffffff;font-size:12px">${word}</span>${link === '' ? title : `<a class="ink" href="${escapeHtml(link)}" style="color:#16202e">${title}</a>`}</p>
<table role="presentation" cellpadding="0" cellspacing="0">${rows.join('')}</table></td></tr></table>`
}

const pictureHtml = ({ width, height, alternative }: Picture): string =>
  `<p style="margin:18px 0 0"><img src="cid:${CHART_ID}" width="${width}" height="${height}" alt="${escapeHtml(alternative)}" style="display:block;max-width:100%;height:auto;border-radius:6px;background:#ffffff"></p>`

const footer = ({ reason, ruleName }: MessageSurroundings, product: string): string =>
  [`Message de ${product}.`, reason, ruleName === '' || reason.includes(ruleName) ? '' : `Règle\u202f: ${ruleName}.`]
    .filter(part => part !== '')
    .join(' ')
