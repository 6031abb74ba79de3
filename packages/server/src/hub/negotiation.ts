/** What a client finds when it negotiates; JSON only, so no Binary anywhere. */
const AVAILABLE_TRANSPORTS = ['WebSockets', 'ServerSentEvents', 'LongPolling'].map(transport => ({
  transport,
  transferFormats: ['Text'],
}))

/** The version to answer with, or null when what was asked is no whole number of 0 or more. No version means 0. */
export function negotiateVersion(asked: string | null): 0 | 1 | null {
  if (asked === null) return 0
  if (!/^\d{1,9}$/.test(asked)) return null
  return Number(asked) === 0 ? 0 : 1
}

/** The answer to a negotiation. In version 0 the secret token is the only id. */
export function negotiateAnswer(version: 0 | 1, id: string, token: string): object {
  const ids = version === 0 ? { connectionId: token } : { connectionId: id, connectionToken: token }
  return { ...ids, negotiateVersion: version, availableTransports: AVAILABLE_TRANSPORTS }
}
