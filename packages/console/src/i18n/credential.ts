import { formatCount } from '../lib/format.ts'

/** Words of the credentials of sites, hosts and monitoring models. */
export const credential = {
  title: 'Identifiants',
  help: 'Ce que les contrôles présentent aux équipements. Un secret enregistré ne se lit plus\u202f: il se remplace.',
  kinds: { snmp: 'SNMP', http: 'HTTP', sql: 'SQL', ldap: 'LDAP', mail: 'Messagerie' },
  own: {
    host: 'Propre à cet équipement',
    model: 'Propre à ce modèle de supervision',
    site: 'Propre à ce site',
  },
  inherited: {
    host: (name: string) => `Hérité de l’équipement ${name}`,
    model: (name: string) => `Hérité du modèle ${name}`,
    site: (name: string) => `Hérité du site ${name}`,
  },
  none: 'Aucun',
  summary: {
    user: (name: string) => `utilisateur ${name}`,
    port: (port: number) => `port ${port}`,
  },
  changed: (by: string | null, when: string) => (by === null ? `modifié ${when}` : `modifié par ${by}, ${when}`),
  define: (kind: string) => `Définir les identifiants ${kind}`,
  edit: (kind: string) => `Modifier les identifiants ${kind}`,
  defineShort: 'Définir',
  editShort: 'Modifier',
  back: 'Revenir à l’héritage',
  remove: 'Supprimer',
  confirm: 'Confirmer',
  saved: 'Identifiants enregistrés.',
  removed: 'Identifiants supprimés\u202f: l’héritage reprend.',
  unreadableTitle: 'Identifiants illisibles',
  unreadable:
    'La clé des secrets manque ou n’est pas la bonne\u202f: les contrôles qui en ont besoin ne partent pas. Rétablissez la clé sur le serveur, ou saisissez de nouveau les secrets.',
  unchanged: 'Inchangé',
  unchangedHelp: 'Laissez vide pour garder celui qui est enregistré.',
  show: 'Afficher ou masquer',
  typed: '•••••• (saisi)',
  fields: {
    version: 'Version',
    port: 'Port',
    community: 'Communauté',
    user: 'Utilisateur',
    contextName: 'Contexte',
    authProtocol: 'Authentification',
    authPassword: 'Mot de passe d’authentification',
    privProtocol: 'Chiffrement',
    privPassword: 'Mot de passe de chiffrement',
    username: 'Utilisateur',
    password: 'Mot de passe',
  },
  fieldHelp: {
    port: 'Port UDP de l’agent, 161 d’ordinaire.',
    contextName: 'Vide pour la plupart des équipements.',
    passwordMin: (count: number) => `Au moins ${count} caractères.`,
    http: 'Envoyés par les scanners HTTP qui le demandent, à l’adresse de l’équipement seulement.',
    sql: 'Présentés aux bases de données par les scanners SQL. Un compte qui ne peut que lire suffit.',
    ldap: 'Présentés aux annuaires par les scanners LDAP qui le demandent.',
    ldapUser: 'Le nom complet du compte\u202f: cn=supervision,dc=exemple,dc=fr',
    mail: 'Présentés aux serveurs de messagerie par les scanners SMTP et IMAP qui le demandent, une fois la liaison chiffrée.',
  },
  rotate: {
    open: 'Changer la clé des secrets…',
    title: 'Changer la clé des secrets',
    what: 'Une nouvelle clé est créée sur le serveur, et tous les secrets de la plateforme sont chiffrés de nouveau avec elle\u202f: ceux de tous les sites, équipements et modèles.',
    effect:
      'Les mots de passe ne changent pas, les contrôles continuent. L’ancienne clé disparaît dès que plus rien n’en dépend.',
    backup:
      'Sauvegardez ensuite le fichier de clés du serveur\u202f: une sauvegarde de la base faite après ne se lit qu’avec la nouvelle clé.',
    run: 'Changer la clé',
    failed: 'La clé n’a pas changé',
    done: (resealed: number) =>
      resealed === 0
        ? 'La clé est changée\u202f: aucun secret n’était enregistré.'
        : `La clé est changée\u202f: ${formatCount(resealed, 'secret')} chiffré${resealed > 1 ? 's' : ''} de nouveau.`,
    unreadable: (count: number) =>
      `${formatCount(count, 'secret')} illisible${count > 1 ? 's' : ''}\u202f: aucune clé connue ne l${count > 1 ? 'es' : '’'} ouvre. Rétablissez l’ancienne clé, ou saisissez-l${count > 1 ? 'es' : 'e'} de nouveau.`,
  },
  noProtocol: 'Aucune',
  noPrivacy: 'Aucun',
} as const
