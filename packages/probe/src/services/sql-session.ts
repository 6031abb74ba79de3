import type { Socket } from 'node:net'
import type { ServiceRun } from './service-run.ts'

/** Who signs in where. */
export interface SqlPlan {
  readonly run: ServiceRun
  readonly socket: Socket
  readonly username: string
  readonly password: string
  /** Empty: what the server gives the account. */
  readonly database: string
  readonly tls: boolean
  readonly verifyTls: boolean
}

export type SqlRow = readonly (string | null)[]

/** A session of one check, whose statements may only read. Everything it throws is a failure in words. */
export interface SqlSession {
  /** One statement, within this time; gives the names of its columns. */
  readonly read: (query: string, timeoutMs: number, onRow: (row: SqlRow) => void) => Promise<readonly string[]>
  readonly end: () => void
}

/** Words of both drivers. */
export const sqlWords = {
  stages: { login: 'pendant l’ouverture de session', query: 'pendant la requête' },
  noTls: 'le serveur ne propose pas TLS',
  noPostgres: 'le service ne parle pas PostgreSQL : sa réponse est incompréhensible',
  noMysql: 'le service ne parle pas MySQL : sa réponse est incompréhensible',
  clear:
    'le serveur demande le mot de passe en clair : il n’est envoyé ainsi que sur une liaison chiffrée, choisissez TLS',
  credentials: (said: string) => `Identifiants refusés : ${said}`,
  noDatabase: (name: string, said: string) => `base « ${name} » introuvable ou refusée : ${said}`,
  busy: (said: string) => `le serveur refuse de nouvelles connexions : ${said}`,
  query: (said: string) => `requête refusée : ${said}`,
  writes: (said: string) => `requête refusée, elle écrit : ${said}`,
  tooSlow: 'requête interrompue par le serveur à la fin du délai',
  login: (said: string) => `ouverture de session refusée : ${said}`,
} as const
