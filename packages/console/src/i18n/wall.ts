/** Words of the choice of what a wall shows. */
export const wallWords = {
  open: 'Mode mural',
  title: 'Mode mural',
  intro: 'Un écran à regarder de loin\u202f: les vues choisies s’affichent tour à tour, sans menu ni action.',
  views: 'Vues affichées',
  viewNames: { problems: 'Problèmes non traités', hosts: 'Équipements', sites: 'Statuts par site' },
  oneView: 'Choisissez au moins une vue',
  every: 'Durée de chaque page',
  seconds: (count: number) => `${count} s`,
  theme: 'Fond',
  themes: { dark: 'Sombre', light: 'Clair' },
  start: 'Ouvrir en plein écran',
  leaveHelp: 'Échap quitte le mode mural.',
} as const
