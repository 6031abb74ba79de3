/** Words of scanners that their form and the monitoring models share. */
export const scanner = {
  schedule: {
    intervalSeconds: 'Intervalle de contrôle',
    retryIntervalSeconds: 'Intervalle entre deux tentatives',
    timeoutMs: 'Délai d’attente',
    attempts: 'Nombre de tentatives avant validation',
  },
  scheduleHelp: {
    intervalSeconds: 'Temps entre deux contrôles.',
    retryIntervalSeconds: 'Tant qu’un mauvais résultat n’est pas confirmé.',
    timeoutMs: 'Au-delà, le contrôle est en échec.',
    attempts: 'Mauvais résultats de suite avant qu’un état soit confirmé.',
  },
  empty: (value: string) => ` Vide\u202f: valeur de la plateforme\u202f: ${value}.`,
  kind: 'genre',
  kinds: 'genres',
  among: (count: number) => `sur ${count}`,
  kindSearch: 'Chercher un genre\u202f: web, certificat, imprimante…',
  noKind: 'Aucun genre ne correspond à ces mots.',
  changeKind: 'Changer de genre',
  noParameters: 'Aucun paramètre\u202f: ce genre n’en demande pas.',
  addRow: 'Ajouter une ligne',
  removeRow: 'Retirer la ligne',
  noRow: 'Aucune ligne.',
} as const
