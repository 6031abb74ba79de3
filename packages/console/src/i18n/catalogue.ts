/** Words of the short lists that objects choose from: types, hardware models. */
export const catalogue = {
  name: 'Nom',
  icon: 'Icône',
  edit: (name: string) => `Modifier ${name}`,
  remove: (name: string) => `Supprimer ${name}`,
  editTitle: (name: string) => `Modifier «\u202f${name}\u202f»`,
  saved: (name: string) => `«\u202f${name}\u202f» est enregistré.`,
  deleted: (name: string) => `«\u202f${name}\u202f» est supprimé.`,
} as const
