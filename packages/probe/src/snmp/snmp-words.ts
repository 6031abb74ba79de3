import { type CheckFailure, failure } from '../failure.ts'
import { duration } from '../fr.ts'

/** What the SNMP client says to people. No community, user or password is ever in it. */
export const words = {
  closedPort: (target: string) =>
    failure('refused', `aucun agent SNMP à l’écoute\u202f: ${target} refuse les paquets (agent arrêté, ou autre port)`),
  silent: (target: string, ms: number) =>
    failure(
      'timeout',
      `aucune réponse SNMP de ${target} en ${duration(ms)}\u202f: communauté refusée, ou équipement muet (filtrage, agent arrêté)`,
    ),
  silentV3: (target: string, ms: number) =>
    failure(
      'timeout',
      `aucune réponse SNMPv3 de ${target} en ${duration(ms)}\u202f: équipement muet (filtrage, agent arrêté, SNMPv3 inactif)`,
    ),
  /** The engine was discovered, and what was asked under the user's name has no answer at all. */
  discoveredOnly: (target: string, ms: number) =>
    failure(
      'credentials',
      `identifiants SNMPv3 sans réponse en ${duration(ms)}\u202f: ${target} répond à la découverte, pas à la requête (mot de passe de chiffrement, contexte ou droits d’accès)`,
    ),
  cut: (target: string, ms: number, oid: string) =>
    failure(
      'timeout',
      `${target} ne répond plus au cours de la lecture\u202f: délai de ${duration(ms)} dépassé vers l’OID ${oid}`,
    ),
  garbled: (target: string) =>
    failure('protocol', `${target} renvoie des paquets incompréhensibles\u202f: ce n’est pas du SNMP correct`),
  foreign: (target: string) =>
    failure('protocol', `${target} répond à d’autres questions que celles posées\u202f: réponses SNMP écartées`),
  unauthenticated: (target: string) =>
    failure(
      'protocol',
      `${target} répond en SNMPv3 sans l’authentification ou le chiffrement demandés\u202f: réponses écartées`,
    ),
  tooMuch: (target: string, bytes: number) =>
    failure(
      'protocol',
      `${target} renvoie plus de ${(bytes / 1_048_576).toLocaleString('fr-FR', { maximumFractionDigits: 1 })} Mio\u202f: lecture SNMP arrêtée`,
    ),
  tooManyRows: (oid: string, rows: number) =>
    failure(
      'protocol',
      `table SNMP trop longue\u202f: plus de ${rows.toLocaleString('fr-FR')} lignes sous l’OID ${oid}`,
    ),
  notIncreasing: (oid: string) =>
    failure(
      'protocol',
      `l’équipement renvoie des OID qui n’avancent pas (après ${oid})\u202f: lecture arrêtée pour ne pas tourner en rond`,
    ),
  emptyAnswer: (oid: string) => failure('protocol', `réponse SNMP vide à la question sur l’OID ${oid}`),
  otherOids: failure('protocol', 'l’équipement répond par d’autres OID que ceux demandés'),
  tooBig: failure(
    'protocol',
    'l’équipement ne peut faire tenir sa réponse dans un paquet (tooBig), même pour un seul OID',
  ),
  noAccess: (oid: string) =>
    failure('credentials', `accès refusé à l’OID ${oid}\u202f: la vue SNMP de ces identifiants ne le contient pas`),
  errorStatus: (status: number, oid: string) =>
    failure('protocol', `erreur SNMP de l’équipement pour l’OID ${oid}\u202f: ${STATUS[status] ?? `code ${status}`}`),
  unknownUser: failure('credentials', 'utilisateur SNMPv3 inconnu de l’équipement'),
  wrongDigest: failure(
    'credentials',
    'mot de passe ou protocole d’authentification SNMPv3 refusé par l’équipement (condensat faux)',
  ),
  wrongKey: failure('credentials', 'mot de passe ou protocole de chiffrement SNMPv3 refusé par l’équipement'),
  securityLevel: failure(
    'credentials',
    'niveau de sécurité SNMPv3 refusé\u202f: l’équipement n’accepte pas cette combinaison d’authentification et de chiffrement pour cet utilisateur',
  ),
  unknownContext: (name: string) =>
    failure('credentials', `contexte SNMPv3 inconnu de l’équipement\u202f: «\u202f${name}\u202f»`),
  unknownReport: (oid: string) => failure('protocol', `l’équipement refuse la requête SNMPv3 (rapport ${oid})`),
  clock: failure(
    'credentials',
    'horloge SNMPv3 de l’équipement instable\u202f: requête hors de sa fenêtre de temps malgré la synchronisation',
  ),
} as const

const STATUS: Readonly<Record<number, string>> = {
  2: 'OID inconnu (noSuchName)',
  3: 'valeur refusée (badValue)',
  5: 'erreur interne de l’agent (genErr)',
  6: 'accès refusé (noAccess)',
  13: 'agent à court de ressources (resourceUnavailable)',
  16: 'accès refusé (authorizationError)',
}

/** What a session throws: a failure that a check can give as it is. */
export class SnmpError extends Error {
  readonly failure: CheckFailure
  constructor(reason: CheckFailure) {
    super(reason.message)
    this.name = 'SnmpError'
    this.failure = reason
  }
}
