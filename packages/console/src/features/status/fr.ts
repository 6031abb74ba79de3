export const fr = {
  dashboards: 'Tableaux de bord',
  title: 'Statuts',
  later:
    'Les statuts heure par heure et la matrice des sites arriveront dans une prochaine version. En attendant, la vue générale montre les problèmes présents.',
} as const
