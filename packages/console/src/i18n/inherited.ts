/** Where the value of a field comes from, and how to change that. */
export const inherited = {
  model: (name: string) => `Hérité du modèle ${name}`,
  rule: 'Hérité d’une règle de l’équipement, d’un modèle ou d’un site',
  platform: 'Hérité des paramètres',
  scanner: 'Hérité du scanner',
  kind: 'Hérité du genre de scanner',
  ownScanner: 'Propre à ce scanner',
  ownMetric: 'Propre à cette métrique',
  ownModel: 'Propre à ce modèle',
  /** What the model says, where the field has a value of its own. */
  modelSays: (value: string) => `le modèle dit ${value}`,
  /** What would hold without the own value. */
  elsewhere: (value: string) => `sinon\u202f: ${value}`,
  badge: 'modèle',
  comesFrom: (name: string) => `Vient du modèle de supervision ${name}`,
  customize: 'Personnaliser',
  revert: 'Revenir à l’héritage',
  off: 'désactivé',
  on: 'activé',
} as const
