import type { FastifyInstance } from 'fastify'

/** Calls under way have this long to be answered when the server stops; with the hubs and stores it stays under 10 s. */
const GRACE_MS = 4_000
/** Connections that have become idle are looked for at this pace: kept alive, they would hold the server for a minute. */
const SWEEP_MS = 50

/** Takes no new call, answers those under way, cuts what is left after `GRACE_MS` (R27). */
export const closeWhenAnswered = async (http: FastifyInstance): Promise<void> => {
  const sweep = setInterval(() => http.server.closeIdleConnections(), SWEEP_MS)
  const cut = setTimeout(() => http.server.closeAllConnections(), GRACE_MS)
  try {
    await http.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(cut)
  }
}
