/** Every claim, in the order in which the console lists them. `admin` grants everything (spec §6). */
export const CLAIMS = [
  'admin',
  'site_write',
  'host_write',
  'metric_write',
  'custom_field_write',
  'scanner_read',
  'scanner_write',
  'user_read',
  'user_write',
  'user_group_read',
  'user_group_write',
  'probe_write',
  'service_read',
  'log_read',
  'incident_write',
  'parameter_write',
  'notification_write',
] as const
export type Claim = (typeof CLAIMS)[number]

/** Claims on what stands on sites: groups may limit these to some sites and tags; any other concerns the whole platform. */
export const SITE_CLAIMS = [
  'site_write',
  'host_write',
  'metric_write',
  'scanner_read',
  'scanner_write',
  'incident_write',
] as const satisfies readonly Claim[]
/** Whether groups may limit a claim. */
export const isSiteClaim = (claim: string): boolean => SITE_CLAIMS.some(one => one === claim)

/** French label and meaning of each claim. */
export const CLAIM_TEXTS: Readonly<Record<Claim, { readonly label: string; readonly description: string }>> = {
  admin: { label: 'Administration', description: 'Donne tous les droits.' },
  site_write: { label: 'Sites\u202f: écriture', description: 'Créer, modifier et supprimer des sites.' },
  host_write: { label: 'Équipements\u202f: écriture', description: 'Créer, modifier et supprimer des équipements.' },
  metric_write: {
    label: 'Métriques\u202f: écriture',
    description: 'Créer, modifier et supprimer des métriques et leurs seuils.',
  },
  custom_field_write: {
    label: 'Champs dynamiques\u202f: écriture',
    description: 'Définir les champs dynamiques et leurs privilèges.',
  },
  scanner_read: { label: 'Scanners\u202f: lecture', description: 'Voir les scanners et leurs résultats.' },
  scanner_write: { label: 'Scanners\u202f: écriture', description: 'Créer, modifier et supprimer des scanners.' },
  user_read: { label: 'Utilisateurs\u202f: lecture', description: 'Voir les comptes et leurs droits.' },
  user_write: {
    label: 'Utilisateurs\u202f: écriture',
    description: 'Créer, modifier et supprimer des comptes, donner des droits.',
  },
  user_group_read: { label: 'Groupes\u202f: lecture', description: 'Voir les groupes d’utilisateurs.' },
  user_group_write: {
    label: 'Groupes\u202f: écriture',
    description: 'Créer, modifier et supprimer des groupes d’utilisateurs.',
  },
  probe_write: { label: 'Sondes', description: 'Voir, enrôler, approuver, modifier et révoquer des sondes.' },
  service_read: { label: 'Services Narval\u202f: lecture', description: 'Voir l’état des services internes.' },
  log_read: { label: 'Journal\u202f: lecture', description: 'Lire les évènements et la piste d’audit.' },
  incident_write: {
    label: 'Incidents',
    description: 'Acquitter, commenter, planifier une maintenance, demander une vérification.',
  },
  parameter_write: { label: 'Paramètres', description: 'Modifier les paramètres de la plateforme.' },
  notification_write: { label: 'Notifications', description: 'Modifier les canaux et les règles de notification.' },
}

/** True when the claims held grant one of those wanted; `admin` grants everything. */
export const grants = (held: Iterable<string>, ...wanted: readonly Claim[]): boolean => {
  const set = held instanceof Set ? held : new Set(held)
  return set.has('admin') || wanted.some(claim => set.has(claim))
}
