/** What entries of the log are about, in the order of the filter. */
export const LOG_FAMILIES = {
  access: 'Connexions et sessions',
  rights: 'Comptes et droits',
  configuration: 'Configuration',
  object: 'Objets supervisés',
  supervision: 'Incidents, maintenances et commentaires',
  probe: 'Sondes',
  notification: 'Notifications',
  message: 'Messages reçus',
  server: 'Serveur',
} as const
export type LogFamily = keyof typeof LOG_FAMILIES

interface Word {
  readonly label: string
  readonly family: LogFamily
}

/** Managed objects whose changes are audited with before and after, as `<object>-create`, `-update` or `-delete`. */
const OBJECTS = {
  site: { label: 'Site', family: 'object' },
  'site-type': { label: 'Type de site', family: 'configuration' },
  host: { label: 'Équipement', family: 'object' },
  'host-type': { label: 'Type d’équipement', family: 'configuration' },
  'host-model': { label: 'Modèle matériel', family: 'configuration' },
  metric: { label: 'Métrique', family: 'object' },
  scanner: { label: 'Scanner', family: 'object' },
  probe: { label: 'Sonde', family: 'probe' },
  'probe-group': { label: 'Groupe de sondes', family: 'probe' },
  'notification-rule': { label: 'Règle de notification', family: 'notification' },
  'notification-channel': { label: 'Canal de notification', family: 'notification' },
  parameter: { label: 'Paramètres', family: 'configuration' },
  credential: { label: 'Identifiants', family: 'configuration' },
  'discovery-range': { label: 'Plage de découverte', family: 'configuration' },
  incident: { label: 'Incident', family: 'supervision' },
  maintenance: { label: 'Maintenance', family: 'supervision' },
  comment: { label: 'Commentaire', family: 'supervision' },
  'log-book-note': { label: 'Note de main courante', family: 'supervision' },
  handover: { label: 'Relève', family: 'supervision' },
  'monitoring-model': { label: 'Modèle de supervision', family: 'configuration' },
  'field-definition': { label: 'Champ dynamique', family: 'configuration' },
  'field-group': { label: 'Groupe de champs', family: 'configuration' },
  'field-privilege': { label: 'Privilèges des champs', family: 'rights' },
  'field-value': { label: 'Champs dynamiques', family: 'object' },
  'user-group': { label: 'Groupe d’utilisateurs', family: 'rights' },
} as const satisfies Readonly<Record<string, Word>>
export type AuditedObject = keyof typeof OBJECTS

const VERBS = { create: 'création', update: 'modification', delete: 'suppression' } as const

/** What is no change of a managed object. */
const OTHERS = {
  login: { label: 'Connexion', family: 'access' },
  logout: { label: 'Déconnexion', family: 'access' },
  'session-end': { label: 'Session fermée', family: 'access' },
  refresh: { label: 'Renouvellement de session', family: 'access' },
  'password-update': { label: 'Mot de passe\u202f: changement', family: 'access' },
  'password-reset': { label: 'Mot de passe\u202f: réinitialisation', family: 'rights' },
  'second-factor-enable': { label: 'Second facteur\u202f: activation', family: 'access' },
  'second-factor-disable': { label: 'Second facteur\u202f: retrait', family: 'access' },
  'recovery-codes-renew': { label: 'Codes de secours\u202f: renouvellement', family: 'access' },
  'second-factor-refused': { label: 'Second facteur\u202f: preuve incorrecte', family: 'access' },
  'second-factor-remove': { label: 'Second facteur\u202f: retrait par un administrateur', family: 'rights' },
  'account-create': { label: 'Compte\u202f: création', family: 'rights' },
  'account-update': { label: 'Compte\u202f: modification', family: 'rights' },
  'account-delete': { label: 'Compte\u202f: suppression', family: 'rights' },
  'claims-update': { label: 'Droits d’un compte\u202f: modification', family: 'rights' },
  'api-token-create': { label: 'Jeton d’API\u202f: création', family: 'rights' },
  'api-token-delete': { label: 'Jeton d’API\u202f: suppression', family: 'rights' },
  'display-token-create': { label: 'Écran mural\u202f: création', family: 'rights' },
  'display-token-delete': { label: 'Écran mural\u202f: suppression', family: 'rights' },
  'display-token-use': { label: 'Écran mural\u202f: nouvelle adresse', family: 'access' },
  'push-token-create': { label: 'Jeton d’envoi de valeurs\u202f: création', family: 'rights' },
  import: { label: 'Import', family: 'configuration' },
  'discovery-run': { label: 'Découverte\u202f: passage', family: 'configuration' },
  'discovery-look': { label: 'Découverte\u202f: essai d’une adresse', family: 'configuration' },
  'discovery-review': { label: 'Découverte\u202f: revue', family: 'configuration' },
  'handover-read': { label: 'Relève\u202f: lecture', family: 'supervision' },
  'secret-rotation': { label: 'Clé des secrets\u202f: renouvellement', family: 'configuration' },
  'notification-channel-test': { label: 'Canal de notification\u202f: essai', family: 'notification' },
  'delivery-retry': { label: 'Notification\u202f: renvoi', family: 'notification' },
  'delivery-cancel': { label: 'Notification\u202f: annulation', family: 'notification' },
  'delivery-failed': { label: 'Notification non remise', family: 'notification' },
  'probe-code': { label: 'Sonde\u202f: code d’enrôlement', family: 'probe' },
  'probe-enroll': { label: 'Sonde\u202f: enrôlement', family: 'probe' },
  'probe-approve': { label: 'Sonde\u202f: approbation', family: 'probe' },
  'probe-revoke': { label: 'Sonde\u202f: révocation', family: 'probe' },
  'probe-move': { label: 'Sonde\u202f: transfert', family: 'probe' },
  'probe-rotate': { label: 'Sonde\u202f: nouvelle clé', family: 'probe' },
  'probe-diagnose': { label: 'Sonde\u202f: diagnostic', family: 'probe' },
  'probe-refused': { label: 'Sonde\u202f: demande refusée', family: 'probe' },
  'probe-online': { label: 'Sonde en ligne', family: 'probe' },
  'probe-offline': { label: 'Sonde hors ligne', family: 'probe' },
  'server-start': { label: 'Démarrage du serveur', family: 'server' },
  'server-stop': { label: 'Arrêt du serveur', family: 'server' },
  'server-restore': { label: 'Sauvegarde restaurée', family: 'server' },
  'log-chain': { label: 'Journal\u202f: mise sous scellé', family: 'server' },
  'log-purge': { label: 'Journal\u202f: fin de conservation', family: 'server' },
  'log-verify': { label: 'Journal\u202f: vérification', family: 'server' },
  message: { label: 'Message reçu', family: 'message' },
} as const satisfies Readonly<Record<string, Word>>

/** Everything that the log may tell (S60). */
export type LogAction = `${AuditedObject}-${keyof typeof VERBS}` | keyof typeof OTHERS

const ENTRIES: readonly (readonly [string, Word])[] = [
  ...Object.entries(OTHERS),
  ...Object.entries(OBJECTS).flatMap(([object, { label, family }]) =>
    Object.entries(VERBS).map(
      ([verb, did]) => [`${object}-${verb}`, { label: `${label}\u202f: ${did}`, family }] as const,
    ),
  ),
]
/** Each action with its French label and its family, by its name. */
export const LOG_ACTIONS: ReadonlyMap<string, Word> = new Map(ENTRIES)

/** An action as people read it; an unknown one, of a newer version, is its name. */
export const logActionText = (action: string): string => LOG_ACTIONS.get(action)?.label ?? action

/** What an entry may be about, by the first word of its object: for filters and labels. */
export const LOG_OBJECTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(OBJECTS).map(([object, { label }]) => [object, label])),
  account: 'Compte',
  session: 'Session',
  delivery: 'Notification',
  'display-token': 'Écran mural',
  'secret-key': 'Clé des secrets',
  server: 'Serveur',
  log: 'Journal',
}
