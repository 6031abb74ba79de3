import { NNBSP } from '../lib/format.ts'

/** Rules of judging: those of an object, and the ones in force for a metric. */
export const rule = {
  title: 'Règles',
  help: 'Ce que cet objet ne dit pas lui-même, il l’hérite\u202f: paramètres, sites, modèles, équipement, scanner, métrique. Le plus proche de la métrique l’emporte.',
  helpModel:
    'Ce qu’un modèle dit l’emporte sur les sites, et l’équipement, le scanner ou la métrique l’emportent sur lui.',
  save: 'Enregistrer les règles',
  cancel: 'Annuler',
  saved: 'Règles enregistrées\u202f: elles valent dès le prochain résultat.',
  own: (otherwise: string, origin: string) => `Propre à cet objet · sinon\u202f: ${otherwise} (${origin})`,
  required: 'Un nombre entier est attendu',
  between: (min: number, max: number) => `De ${min} à ${max}`,
  yes: 'Oui',
  no: 'Non',
  origins: {
    default: () => 'Valeur d’origine',
    platform: () => 'Paramètres de la plateforme',
    kind: () => 'Genre de contrôle',
    site: (name: string) => `Site ${name}`,
    model: (name: string) => `Modèle ${name}`,
    host: (name: string) => `Équipement ${name}`,
    scanner: (name: string) => `Scanner ${name}`,
    metric: (name: string) => `Métrique ${name}`,
  },
  inherited: (origin: string) => `Hérité\u202f: ${origin}`,
  inheritedValue: (origin: string, value: string) => `Hérité\u202f: ${origin} · ${value}`,
  inForce: {
    title: 'Règle en vigueur',
    since: 'Depuis',
    thresholds: 'Seuils',
    clear: (value: string) => `retour à ${value}`,
    raised: 'franchi',
    explained: 'Son incident\u202f:',
    flapping: 'Changements d’état',
    flaps: (percent: string) => `Bagotant · ${percent}${NNBSP}%`,
    percent: (percent: string) => `${percent}${NNBSP}% des 21 derniers résultats`,
    all: 'Toutes les règles et leur origine',
    sides: {
      errorHigh: 'Erreur au-dessus de',
      errorLow: 'Erreur sous',
      warningHigh: 'Alerte au-dessus de',
      warningLow: 'Alerte sous',
    },
  },
} as const
