import type { FieldWords } from './field-word.ts'

export const SCANNER_WORDS: FieldWords = {
  'Scanner/Create.name': { text: 'Nom.', example: 'Ping' },
  'Scanner/Update.name': { text: 'Nom.', example: 'Ping' },
  kind: 'Genre.',
  'Scanner.kind': 'Genre de contrôle.',
  'Scanner/Create.kind': { text: 'Genre de contrôle.', example: 'ping' },
  'Scanner/Update.kind': { text: 'Genre de contrôle.', example: 'ping' },
  intervalSeconds: 'Intervalle de contrôle en secondes ; null : le paramètre de la plateforme.',
  retryIntervalSeconds: 'Intervalle entre deux tentatives en secondes ; null : le paramètre de la plateforme.',
  timeoutMs: 'Délai d’attente en millisecondes ; null : le paramètre de la plateforme.',
  attempts: 'Nombre de tentatives avant validation ; null : la valeur dont on hérite.',
  'effective.probeId': 'Sonde chargée des contrôles.',
  'effective.intervalSeconds': 'Intervalle de contrôle en secondes.',
  'effective.retryIntervalSeconds': 'Intervalle entre deux tentatives en secondes.',
  'effective.timeoutMs': 'Délai d’attente en millisecondes.',
  'effective.attempts': 'Nombre de tentatives avant validation.',
  parameters: 'Réglages du genre de contrôle ; ce qui manque prend sa valeur par défaut.',
  effective: 'Ce qui s’applique, une fois l’héritage résolu.',
  lastRun: 'Dernière exécution.',
  lastDurationMs: 'Durée de la dernière exécution en millisecondes.',
  lastError: 'Phrase du dernier échec ; null si le dernier contrôle a réussi.',
}
