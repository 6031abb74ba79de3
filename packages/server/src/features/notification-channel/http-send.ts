import { type GuardedAnswer, type GuardedCall, guardedRequest } from '../../outgoing/guarded-request.ts'
import { type SendResult, sent, unsent } from './sender.ts'

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'la demande est refusée (400)',
  401: 'l’authentification est refusée (401)',
  403: 'l’accès est refusé (403)',
  404: 'cette adresse n’existe pas chez le destinataire (404)',
  405: 'cette méthode n’est pas acceptée (405)',
  410: 'cette adresse n’existe plus (410)',
  413: 'le message est trop long (413)',
  429: 'trop de messages (429)',
  500: 'le destinataire a une panne (500)',
  502: 'le destinataire est derrière un relais en panne (502)',
  503: 'le destinataire n’est pas disponible (503)',
  504: 'le destinataire ne répond pas à son relais (504)',
}

/** Calls a receiver and says what came of it; `recipient` is the place as people know it. */
export const sendHttp = async (call: GuardedCall, recipient: string, stop: AbortSignal): Promise<SendResult> =>
  resultOf(await guardedRequest(call, stop), recipient)

const resultOf = (answered: GuardedAnswer, recipient: string): SendResult => {
  if (answered.kind === 'fault') return unsent(recipient, answered.error)
  const { status, answer } = answered
  if (status >= 200 && status < 300) return sent(recipient, answer)
  if (status >= 300 && status < 400)
    return unsent(
      recipient,
      `${recipient}\u202f: renvoie vers ${placeOf(answered.location)}, ce qui n’est pas suivi.`,
      {
        answer,
      },
    )
  const meaning = MEANINGS[status] ?? `réponse ${status}`
  return unsent(recipient, `${recipient}\u202f: ${meaning}.`, { answer, permanent: status === 410 })
}

/** Where a redirect leads, without what its address may hold. */
const placeOf = (location: string): string => {
  const url = URL.parse(location)
  return url === null ? 'une autre adresse' : url.origin
}

/** The machine of an address, with its port: what may be shown of an address that holds a token. */
export const hostOf = (address: string): string => URL.parse(address)?.host ?? ''

export const JSON_TYPE = 'application/json; charset=utf-8'
/** The headers of every call: who sends, and by what it is recognised when it is sent again. */
export const ownHeaders = (key: string): Record<string, string> => ({
  'user-agent': 'Narval',
  'idempotency-key': key,
  'x-narval-key': key,
})
