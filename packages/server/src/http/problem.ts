import { randomBytes } from 'node:crypto'
import { PROBLEM_TYPE, type Problem } from '@narval/contracts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusalOfDatabase } from '../store/database-fault.ts'
import { REFUSAL_STATUS, Refusal, type RefusalKind } from './refusal.ts'
import { typeset } from './typeset.ts'

const TITLES: Readonly<Record<RefusalKind, string>> = {
  invalid: 'Demande incorrecte',
  unauthenticated: 'Connexion requise',
  forbidden: 'Action non autorisée',
  'not-found': 'Introuvable',
  'method-not-allowed': 'Méthode non acceptée',
  conflict: 'Conflit',
  'too-large': 'Demande trop grande',
  'unsupported-type': 'Type de contenu non accepté',
  'too-many': 'Trop de demandes',
  unavailable: 'Service momentanément indisponible',
}

/** The problem that a refusal is shown as. */
export const problemOf = (refusal: Refusal): Problem => ({
  status: REFUSAL_STATUS[refusal.kind],
  title: TITLES[refusal.kind],
  detail: typeset(refusal.errors.join(' ')),
  errors: refusal.errors.map(typeset),
  ...(refusal.detail.fields === undefined
    ? {}
    : {
        fields: Object.fromEntries(
          Object.entries(refusal.detail.fields).map(([field, sentence]) => [field, typeset(sentence)]),
        ),
      }),
  ...(refusal.detail.current === undefined ? {} : { current: refusal.detail.current }),
  ...(refusal.detail.challenge === undefined ? {} : { challenge: refusal.detail.challenge }),
})

/** Faults of Fastify itself (bodies, content types, URLs) in our words. */
const refusalOfHttp = (error: FastifyError): Refusal | null => {
  const status = error.statusCode ?? 500
  if (status >= 500) return null
  if (status === 413) return new Refusal('too-large', ['Le corps de la demande est trop grand.'])
  if (status === 415)
    return new Refusal('unsupported-type', ['Le corps de la demande doit être du JSON (application/json).'])
  if (status === 404) return new Refusal('not-found', ["Cette adresse n'existe pas."])
  return new Refusal('invalid', ["La demande n'est pas lisible."])
}

export const sendProblem = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  const problem = problemOf(refusal)
  if (refusal.detail.retryAfterMs !== undefined) {
    reply.header('retry-after', String(Math.max(1, Math.ceil(refusal.detail.retryAfterMs / 1_000))))
  }
  return reply.status(problem.status).type(PROBLEM_TYPE).send(JSON.stringify(problem))
}

/** Maps every error of the application to problem+json, once. Unknown faults are logged under a reference and show no detail. */
export const handleErrors = (app: FastifyInstance): void => {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = error instanceof Refusal ? error : (refusalOfDatabase(error) ?? refusalOfHttp(error))
    if (refusal !== null) return sendProblem(reply, refusal)
    const reference = randomBytes(6).toString('hex')
    request.log.error({ err: error, reference }, 'unexpected fault')
    const sentence = typeset(`Une erreur inattendue s'est produite. Référence : ${reference}.`)
    const problem: Problem = {
      status: 500,
      title: 'Erreur interne',
      detail: sentence,
      errors: [sentence],
      reference,
    }
    return reply.status(500).type(PROBLEM_TYPE).send(JSON.stringify(problem))
  })
}
