import { systemWords } from '../fr-install.ts'
import type { TrapRefusal } from './trap-receiver.ts'

/** What can be received, as it is called. */
export const RECEIVED = ['trap', 'syslog'] as const
export type ReceivedKind = (typeof RECEIVED)[number]

const NAMES: Readonly<Record<ReceivedKind, string>> = { trap: 'les traps SNMP', syslog: 'les messages syslog' }
const SETTING: Readonly<Record<ReceivedKind, string>> = { trap: 'trapPort', syslog: 'syslogPort' }
const USUAL: Readonly<Record<ReceivedKind, number>> = { trap: 162, syslog: 514 }

const REFUSALS: Readonly<Record<TrapRefusal, string>> = {
  community: 'la communauté n’est pas celle des identifiants',
  version: 'la version n’est pas celle des identifiants',
  user: 'l’utilisateur n’est pas celui des identifiants',
  level: 'le niveau de sécurité n’est pas celui des identifiants',
  digest: 'mot de passe ou protocole d’authentification incorrect',
  time: 'message ancien, ou horloge SNMP de l’équipement revenue en arrière',
  decryption: 'mot de passe ou protocole de chiffrement incorrect',
}

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('fr-FR')} ${number === 1 ? one : many}`

export const words = {
  off: (kind: ReceivedKind) =>
    `cette sonde n’écoute pas ${NAMES[kind]}\u202f: donnez-lui un port par le réglage ${SETTING[kind]} (${USUAL[kind]} d’ordinaire)`,
  /** Why a port can't be listened on. */
  port: (kind: ReceivedKind, port: number, code: string) => {
    const where = `port ${port} pour ${NAMES[kind]}`
    if (code === 'EADDRINUSE') return `${where}\u202f: déjà pris par un autre programme de la machine`
    if (code === 'EACCES' || code === 'EPERM')
      return `${where}\u202f: refusé par le système, sous 1024 il faut CAP_NET_BIND_SERVICE (ou un port plus haut)`
    return `${where}\u202f: ${systemWords(code)}`
  },
  listening: (kind: ReceivedKind, port: number) => `port ${port} écouté pour ${NAMES[kind]}`,
  available: (kind: ReceivedKind, port: number) => `port ${port} libre pour ${NAMES[kind]}`,
  strangers: 'messages reçus d’expéditeurs qui ne sont l’adresse d’aucun équipement\u202f: laissés de côté',
  unsaved: 'l’état des messages reçus n’a pu être écrit',
  notConfigured: 'le contrôle n’est pas encore en place sur cette sonde',
  refusedTraps: (number: number, why: TrapRefusal) =>
    `${count(number, 'trap refusé', 'traps refusés')}\u202f: ${REFUSALS[why]}`,
  malformed: (number: number) => count(number, 'message illisible', 'messages illisibles'),
  more: (number: number) => count(number, 'autre message retenu', 'autres messages retenus'),
  details: {
    listening: 'Écoute',
    source: 'Adresse attendue',
    recent: 'Derniers messages de cette adresse',
    none: 'aucun depuis le démarrage de la sonde',
    strangers: 'Expéditeurs inconnus',
  },
} as const
