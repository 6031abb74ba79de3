import type { FieldWords } from './field-word.ts'

export const RULE_SETTING_WORDS: FieldWords = {
  rules: 'Chaque règle, dans l’ordre des formulaires.',
  'RuleSetting.key': 'Nom de la règle.',
  'RuleSetting.label': 'Nom en français.',
  'RuleSetting.help': 'Ce que la règle fait.',
  'RuleSetting.type': 'integer : un nombre entier ; boolean : oui ou non.',
  'RuleSetting.unit': 'Unité du nombre.',
  'RuleSetting.min': 'Plus petite valeur acceptée.',
  'RuleSetting.max': 'Plus grande valeur acceptée.',
  'RuleSetting.own': 'Valeur propre à l’objet ; null : il hérite.',
  'RuleSetting.value': 'Valeur en vigueur.',
  'RuleSetting.origin': 'Qui dit la valeur en vigueur.',
  'RuleSetting.inherited': 'Ce qui vaudrait sans valeur propre.',
  'RuleSetting.place':
    'Où elle se règle pour cet objet : here, par cette adresse ; form, dans un champ de l’objet ; above, seulement au-dessus de lui.',
  'RuleSetting.values': {
    text: 'Valeurs par nom de règle ; null revient à l’héritage, ce qui manque reste.',
    example: { attempts: 5, flapping: false },
  },
  'RuleOrigin.scope':
    'default : valeur d’origine ; platform : paramètre ; kind : genre de contrôle ; sinon le genre de l’objet.',
  'RuleOrigin.id': 'Identifiant de l’objet ; null quand ce n’en est pas un.',
  'RuleOrigin.name': 'Nom de l’objet.',
  sentences: 'L’état présent, expliqué en phrases.',
  'MetricLive.flapping': 'Part de changements d’état en %, tant que la métrique bagote ; null sinon.',
  'Metric.flapping': 'Part de changements d’état en %, tant que la métrique bagote ; null sinon.',
  'ProblemRow.flapping': 'Part de changements d’état en %, tant que la métrique bagote ; null sinon.',
  flappingPercent: 'Part pondérée de changements d’état parmi les 21 derniers résultats, en %.',
}
