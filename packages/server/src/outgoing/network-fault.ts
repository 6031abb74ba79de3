const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'la connexion est refusée\u202f: rien n’écoute à cette adresse',
  ECONNRESET: 'la connexion a été coupée avant la réponse',
  EPIPE: 'la connexion a été coupée avant la réponse',
  ECONNECTION: 'la connexion a été coupée',
  ENOTFOUND: 'ce nom n’existe pas dans le DNS',
  EAI_AGAIN: 'le DNS ne répond pas',
  EDNS: 'ce nom n’a pas d’adresse dans le DNS',
  ETIMEDOUT: 'délai dépassé',
  ESOCKET: 'la connexion a échoué',
  ETLS: 'la négociation TLS a échoué',
  EHOSTUNREACH: 'la machine ne peut pas être jointe',
  ENETUNREACH: 'le réseau ne peut pas être joint',
  CERT_HAS_EXPIRED: 'le certificat a expiré',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'le certificat est autosigné',
  SELF_SIGNED_CERT_IN_CHAIN: 'la chaîne de certificats contient un certificat autosigné',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'l’autorité du certificat n’est pas connue',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'l’autorité du certificat n’est pas connue',
  ERR_TLS_CERT_ALTNAME_INVALID: 'le certificat est au nom d’une autre machine',
  ERR_SSL_WRONG_VERSION_NUMBER: 'ce port ne parle pas TLS',
  EPROTO: 'la négociation TLS a échoué',
  HPE_INVALID_CONSTANT: 'ce qui répond n’est pas un serveur HTTP',
  HPE_HEADER_OVERFLOW: 'les en-têtes de la réponse sont trop longs',
}

/** What a failed connection means, in French; neither an address with its login nor a stack is in it. */
export const networkFault = (error: unknown, place: string): string => `${place}\u202f: ${reasonOf(error)}.`

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'échec inconnu'
  if (error.name === 'RefusedAddress') return 'cette adresse n’est pas permise (adresse locale au lien ou de diffusion)'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'délai dépassé\u202f: pas de réponse en 10 s'
  const code = codeOf(error)
  const known = CODES[code]
  if (known !== undefined) return known
  // A connection tried by several addresses fails with the faults of all of them.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return reasonOf(error.errors[0])
  return code === '' ? 'échec de la connexion' : `échec de la connexion (${code})`
}

/** What TLS says where its code is lost on the way. */
const TLS_WORDS: readonly (readonly [RegExp, string])[] = [
  [/certificate has expired/i, 'CERT_HAS_EXPIRED'],
  [/self[- ]signed certificate in/i, 'SELF_SIGNED_CERT_IN_CHAIN'],
  [/self[- ]signed/i, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [/unable to (verify|get)/i, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  [/altnames|does not match certificate/i, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/wrong version number|packet length too long/i, 'ERR_SSL_WRONG_VERSION_NUMBER'],
]

/** The code of an error of the network; that of what caused it says more than « ESOCKET ». */
const codeOf = (error: Error): string => {
  const own = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (own !== 'ESOCKET' && own !== 'ETLS' && own !== 'EPROTO' && own !== '') return own
  if (error.cause instanceof Error) return codeOf(error.cause) || own
  return TLS_WORDS.find(([words]) => words.test(error.message))?.[1] ?? own
}
