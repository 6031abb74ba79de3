import { GIVE_BACK_AFTER_MS, PROBE_OFFLINE_AFTER_MS } from '@narval/engine'
import { formatCount } from '../../lib/format.ts'

/** Words of the groups of probes. */
export const fr = {
  title: 'Groupes de sondes',
  help: `Quand une sonde se tait ${PROBE_OFFLINE_AFTER_MS / 1_000}\u202fs, la suivante de son groupe exécute ses scanners à sa place\u202f; elle les lui rend ${GIVE_BACK_AFTER_MS / 60_000}\u202fmin après son retour. Les sondes d’un groupe doivent atteindre les mêmes équipements.`,
  none: 'Aucun groupe\u202f: les équipements d’une sonde hors ligne sont inconnus jusqu’à son retour.',
  create: 'Nouveau groupe',
  edit: (name: string) => `Modifier «\u202f${name}\u202f»`,
  remove: (name: string) => `Supprimer «\u202f${name}\u202f»`,
  newTitle: 'Nouveau groupe de sondes',
  editTitle: (name: string) => `Groupe «\u202f${name}\u202f»`,
  members: 'Sondes, par rang',
  membersHelp: 'Celle qui suit une sonde muette la remplace\u202f; après la dernière vient la première.',
  noMembers: 'Aucune sonde dans ce groupe.',
  addMember: 'Ajouter une sonde',
  up: (name: string) => `Monter ${name}`,
  down: (name: string) => `Descendre ${name}`,
  takeOff: (name: string) => `Retirer ${name}`,
  scanners: (count: number) => formatCount(count, 'scanner'),
  standIn: (name: string, count: number) => `${count > 1 ? 'exécutés' : 'exécuté'} par ${name}`,
  saved: (name: string) => `Le groupe «\u202f${name}\u202f» est enregistré.`,
  deleted: (name: string) => `Le groupe «\u202f${name}\u202f» est supprimé.`,
  deleteTitle: (name: string) => `Supprimer le groupe «\u202f${name}\u202f»\u202f?`,
  deleteText:
    'Chaque sonde n’exécute plus que ses propres scanners\u202f: les équipements de celles qui sont hors ligne deviennent inconnus.',
  delete: 'Supprimer',
  refused: 'Suppression refusée',
} as const
