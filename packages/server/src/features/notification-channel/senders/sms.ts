import { absoluteLink, filled } from '@narval/contracts'
import { JSON_TYPE, ownHeaders, sendHttp } from '../http-send.ts'
import { type Outgoing, type Sender, type SendResult, unsent } from '../sender.ts'
import { smsText } from '../sms-text.ts'
import { authorization } from './webhook.ts'

/** One call of the gateway a number. */
export const sendSms: Sender<'sms'> = async outgoing => {
  const numbers = numbersOf(outgoing)
  if (numbers.length === 0) return unsent('', nobody(outgoing), { permanent: outgoing.person !== null })
  const results: SendResult[] = []
  for (const number of numbers) results.push(await sendHttp(callOf(outgoing, number), number, outgoing.stop))
  // What one number got must not be sent to it again because of another.
  const some = results.find(result => result.ok) ?? results[0]
  return some === undefined
    ? unsent('', nobody(outgoing))
    : { ...some, recipient: numbers.join(', '), answer: results.map(answerLine).join('\n').slice(0, 1_000) }
}
const answerLine = ({ recipient, error, answer }: SendResult): string => `${recipient}\u202f: ${error || answer}`

const numbersOf = ({ settings, person, address }: Outgoing<'sms'>): readonly string[] => {
  if (address !== null) return [address]
  if (person === null) return settings.to
  return person.phone === '' ? [] : [person.phone]
}
const nobody = ({ person }: Outgoing): string =>
  person === null
    ? 'Ce canal n’a aucun numéro\u202f: indiquez-en un.'
    : `${person.name || person.login} n’a pas de numéro de téléphone.`

/** Gateways cut a text that is sent twice by this key, those that know it. */
const callOf = (outgoing: Outgoing<'sms'>, number: string) => {
  const { settings, secrets, around } = outgoing
  const values = { number, text: textOf(outgoing), secret: secrets.secret ?? '' }
  const inAddress = (text: string): string => fill(text, values, encodeURIComponent)
  const headers = {
    ...Object.fromEntries(settings.headers.map(header => [header.name.toLowerCase(), header.value])),
    ...ownHeaders(`${around.key}-${number.slice(1)}`),
    ...authorization(secrets),
  }
  const url = inAddress(settings.url)
  if (settings.method === 'GET') return { url, method: 'GET', headers, body: null }
  const isJson = settings.format === 'json'
  const type = isJson ? JSON_TYPE : 'application/x-www-form-urlencoded'
  const body = isJson
    ? JSON.stringify(filled(JSON.parse(settings.body), text => fill(text, values, one => one)))
    : inAddress(settings.body)
  return { url, method: 'POST', headers: { ...headers, 'content-type': type }, body }
}

const fill = (
  template: string,
  values: { readonly number: string; readonly text: string; readonly secret: string },
  write: (text: string) => string,
): string => template.replace(/\{(number|text|secret)\}/g, (_, name: keyof typeof values) => write(values[name]))

/** The subject says what happened; what follows is cut first. Of what ended, its failure is not told any more. */
const textOf = ({ message, settings, around }: Outgoing<'sms'>): string => {
  const link = absoluteLink(around.base, message.link)
  const [incident] = message.incidents
  const detail = (incident?.until === null ? incident.information : message.text[0]) ?? ''
  return smsText([message.subject, detail, link].filter(part => part !== '').join(' - '), settings.parts)
}
