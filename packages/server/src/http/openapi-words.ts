/** French typography: narrow no-break spaces (in large numbers too), curly apostrophes. */
export const french = (text: string): string =>
  text
    .replace(/ ([:;?!%»])/g, '\u202f$1')
    .replaceAll('« ', '«\u202f')
    .replace(/(\d) (\d{3})/g, '$1\u202f$2')
    .replaceAll("'", '’')

/** What each controller is about, by the second segment of its addresses. */
export const TAG_TEXTS: Readonly<Record<string, string>> = {
  Account: 'Comptes : le sien, et ceux que l’on administre',
  AccountDatatable: 'Liste paginée des comptes',
  ApiToken: 'Jetons d’API de son compte, pour les scripts',
  Authentication: 'Connexion, renouvellement des jetons, déconnexion',
  Claim: 'Droits des comptes',
  Comment: 'Commentaires des sites, équipements, métriques et incidents',
  Credential:
    'Identifiants des contrôles : propres à un site, un équipement ou un modèle, ou hérités ; leurs secrets s’écrivent et ne se lisent pas',
  CustomField: 'Champs dynamiques : définitions, groupes, privilèges, valeurs des équipements et des sites',
  CustomFieldDefinitionDatatable: 'Liste paginée des définitions de champs',
  Dashboard: 'Compteurs du tableau de bord',
  DashboardDatatable: 'Liste paginée des problèmes',
  Delivery: 'Envois de notifications : à qui, par où, pourquoi',
  DeliveryDatatable: 'Liste paginée des envois de notifications',
  Discovery: 'Découverte : plages d’adresses, passages des sondes, et création des équipements trouvés',
  DiscoveryDatatable: 'Liste paginée de ce que la découverte a trouvé',
  History: 'Historique des objets : qui a changé quoi',
  Host: 'Équipements supervisés',
  HostDatatable: 'Liste paginée des équipements',
  Import: 'Import de fichiers CSV : sites, équipements, réglages des métriques',
  Incident: 'Incidents et acquittements',
  IncidentDatatable: 'Liste paginée des incidents',
  Maintenance: 'Plages de maintenance : ce qu’elles couvrent, leur calendrier, et ce qui n’est pas revenu',
  MaintenanceDatatable: 'Liste paginée des maintenances',
  Metric: 'Métriques, leurs seuils, leur état et leurs échantillons',
  MetricDatatable: 'Liste paginée des métriques',
  Model: 'Modèles de supervision : scanners, seuils et champs dont des équipements héritent',
  ModelDatatable: 'Liste paginée des modèles de supervision',
  Notification: 'Notifications de son compte',
  NotificationChannel:
    'Canaux de notification : e-mail, webhook, messageries, ntfy, SMS ; leurs secrets s’écrivent et ne se lisent pas',
  Parameter: 'Paramètres de la plateforme',
  Probe: 'Sondes : administration, et ce qu’elles échangent avec le serveur',
  ProbeDatatable: 'Liste paginée des sondes',
  ProbeGroup: 'Groupes de sondes qui se remplacent',
  Push: 'Valeurs que des programmes envoient avec un jeton',
  Reference: 'Cette référence',
  RuleSetting:
    'Règles de jugement : celles d’un site, d’un modèle, d’un équipement, d’un scanner ou d’une métrique, et d’où vient chacune',
  Scanner: 'Scanners : les contrôles exécutés par les sondes',
  ScannerDatatable: 'Liste paginée des scanners',
  ScannerPingDatatable: 'Liste paginée des pings, avec leurs dernières mesures',
  Search: 'Recherche par nom',
  Session: 'Sessions ouvertes de son compte',
  Site: 'Sites',
  SiteDatatable: 'Liste paginée des sites',
  View: 'Vues enregistrées des listes, et colonnes choisies',
  UserGroup: 'Groupes d’utilisateurs',
}

/** Parameters of paths and queries, by `Controller.name` or by name. */
export const PARAMETER_WORDS: Readonly<Record<string, { readonly text: string; readonly example?: string | number }>> =
  {
    id: { text: 'Identifiant.', example: 1 },
    scope: { text: 'Genre d’objet : site, modèle, équipement, scanner ou métrique.', example: 'site' },
    'RuleSetting.id': { text: 'Identifiant de l’objet.', example: 1 },
    'Scanner.id': { text: 'Identifiant du scanner.', example: 1 },
    site: { text: 'Seulement ce qui appartient à ce site (identifiant).', example: 1 },
    host: { text: 'Seulement ce qui appartient à cet équipement (identifiant).', example: 1 },
    metric: { text: 'Seulement ce qui appartient à cette métrique (identifiant).', example: 1 },
    probe: { text: 'Seulement ce qui appartient à cette sonde (identifiant).', example: 1 },
    token: { text: 'Jeton du scanner, montré une seule fois à sa création.', example: 'jeton-du-scanner' },
    value: { text: 'Valeur de la première métrique du scanner, pour qui n’envoie pas de JSON.', example: 12 },
    state: { text: 'ok, ou error : le programme dit lui-même qu’il a échoué.', example: 'ok' },
    message: { text: 'Texte gardé avec le résultat.' },
    'Scanner.before': { text: 'Seulement les messages d’avant celui-ci (identifiant).' },
    'Credential.kind': { text: 'Genre d’identifiant.', example: 'http' },
    range: { text: 'Identifiant de la plage.', example: 1 },
    'Import.id': { text: 'Numéro du fichier déposé, oublié après 30 minutes.', example: 1 },
    'Import.entity': { text: 'Ce que le fichier crée ou modifie.', example: 'site' },
    'Import.name': { text: 'Nom du fichier, pour la piste d’audit.', example: 'sites.csv' },
    ids: { text: 'Identifiants de métriques, séparés par des virgules.', example: '1,2' },
    from: { text: 'Début de la période, en UTC.', example: '2026-01-15T08:00:00Z' },
    to: { text: 'Fin de la période, en UTC.', example: '2026-01-15T09:00:00Z' },
    points: { text: 'Nombre de points voulu par série ; le serveur choisit le pas.', example: 300 },
    aggregate: { text: 'Ce que vaut un point quand il résume plusieurs échantillons.', example: 'avg' },
    plan: { text: 'true : ne supprime rien, dit seulement ce qui serait emporté.', example: 'true' },
    'CustomField.cascade': {
      text: 'true : perd aussi ses valeurs et les seuils qui en dépendent ; sans cela, s’il y en a, la suppression est refusée (409).',
    },
    cascade: {
      text: 'true : supprime aussi ce qui en dépend (sites au-dessous, équipements) ; sans cela, ce qui en dépend fait refuser la suppression (409).',
    },
    'Model.plan': { text: 'true : n’écrit rien, dit seulement ce qui changerait.', example: 'true' },
    'Model.cascade': {
      text: 'true : supprime aussi les scanners qui en viennent ; sans cela, un modèle que des équipements ont n’est pas supprimé (409).',
    },
    'Model.before': { text: 'Seulement les versions d’avant cet identifiant.' },
    'CustomField.before': { text: 'Seulement ce qui précède cet identifiant : la suite d’une page.' },
    'CustomField.id': { text: 'Identifiant.', example: 1 },
    object: { text: 'Genre d’objet.', example: 'host' },
    'History.id': { text: 'Identifiant de l’objet.', example: 1 },
    'History.before': { text: 'Seulement les changements plus anciens que celui-ci (identifiant).' },
    'Comment.kind': { text: 'Genre d’objet commenté.', example: 'host' },
    'Comment.id': { text: 'Identifiant de l’objet, ou du commentaire que l’on change.', example: 1 },
    term: { text: 'Texte cherché dans les noms, sans égard à la casse ni aux accents.', example: 'paris' },
    page: { text: 'Numéro de page, à partir de 1.', example: 1 },
    open: { text: 'true : seulement les incidents ouverts ; false : seulement les clos.', example: 'true' },
    unread: { text: 'true : seulement celles qui ne sont pas lues.', example: 'true' },
    'Notification.after': {
      text: 'Seulement celles qui suivent cet identifiant, de la plus ancienne à la plus récente.',
    },
    'Notification.before': { text: 'Valeur « next » de la réponse précédente : la suite de la liste.' },
    severity: { text: 'Seulement ce qui a cette sévérité.', example: 'error' },
    'Probe.after': { text: 'Valeur « after » de la réponse précédente : les ordres déjà reçus ne reviennent pas.' },
    revision: { text: 'Révision de la configuration déjà connue : elle n’est pas renvoyée si elle n’a pas changé.' },
    sealKey: { text: 'Clé publique X25519 de la sonde, pour laquelle ses identifiants sont chiffrés.' },
    wait: { text: '0 : répond aussitôt ; 1 ou absent : attend une nouveauté jusqu’à 25 s.' },
  }
