import type { DiagnosticKind } from '@narval/contracts'
import { formatMilliseconds } from '../../lib/format.ts'

/** Words of the diagnostics run from a probe. */
export const diagnostics = {
  title: 'Diagnostics',
  help: 'Essais faits par la sonde, de là où elle est. Rien n’en est gardé.',
  kind: 'Essai',
  kinds: {
    ping: 'Ping',
    traceroute: 'Traceroute',
    dns: 'DNS',
    http: 'HTTP',
    snmp: 'Parcours SNMP',
  } as const satisfies Record<DiagnosticKind, string>,
  fields: {
    address: 'Adresse ou nom',
    count: 'Nombre d’échos',
    name: 'Nom demandé',
    type: 'Type d’enregistrement',
    server: 'Serveur de noms',
    url: 'Adresse web',
    method: 'Méthode',
    verifyTls: 'Vérifier le certificat',
    followRedirects: 'Suivre les redirections',
    hostId: 'Équipement',
    oid: 'OID',
  },
  placeholders: { address: '192.0.2.1', name: 'www.exemple.fr', url: 'https://www.exemple.fr/' },
  serverHelp: 'Vide\u202f: ceux de la machine de la sonde.',
  hostHelp: 'Avec les identifiants SNMP qu’il a ou dont il hérite.',
  run: 'Lancer',
  stop: 'Interrompre',
  running: 'Essai en cours…',
  offline: 'Ces essais demandent une sonde en ligne.',
  result: 'Résultat',
  took: (probe: string, ms: number) => `depuis ${probe}, en ${formatMilliseconds(ms)}`,
  failed: 'L’essai a échoué',
  refused: 'L’essai n’a pas pu être fait',
  copy: 'Copier',
  copied: 'Copié',
  selected: 'Sélectionné\u202f: Ctrl+C pour copier',
} as const
