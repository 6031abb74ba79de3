import type { HolidayRegion } from '@narval/engine'
import type { FieldScope, FieldType } from './custom-field.ts'
import type { DiscoveryRecurrence } from './discovery.ts'
import type { DiscoveryMethod } from './discovery-wire.ts'
import type { NO_DATA_POLICIES } from './metric.ts'
import type { ChannelKind, MAIL_SECURITIES } from './notification-channel.ts'
import type { HolidayRule } from './notification-period.ts'
import type { RULE_SEVERITIES, RuleKind } from './notification-rule.ts'

/** French names of values, as forms offer them and the log tells them. */
type Labels<Value extends string> = Readonly<Record<Value, string>>

export const NO_DATA_LABELS: Labels<(typeof NO_DATA_POLICIES)[number]> = {
  unknown: 'L’état devient «\u202fInconnu\u202f»',
  keep: 'L’état est gardé',
}

export const RULE_SEVERITY_LABELS: Labels<(typeof RULE_SEVERITIES)[number]> = {
  error: 'Erreur',
  warning: 'Alerte',
  unknown: 'Inconnu',
}

export const RULE_KIND_LABELS: Labels<RuleKind> = {
  host: 'Équipement indisponible',
  metric: 'Métrique',
  probe: 'Sonde hors ligne',
  link: 'Liaison d’une sonde',
}

export const HOLIDAY_RULE_LABELS: Labels<HolidayRule> = {
  ordinary: 'Comme les autres jours',
  sunday: 'Comme un dimanche',
  never: 'Ne prévenir personne',
  always: 'Prévenir toute la journée',
}

export const HOLIDAY_REGION_LABELS: Labels<HolidayRegion> = {
  metropole: 'France métropolitaine',
  'alsace-moselle': 'Alsace-Moselle',
  guadeloupe: 'Guadeloupe',
  guyane: 'Guyane',
  martinique: 'Martinique',
  mayotte: 'Mayotte',
  reunion: 'La Réunion',
  'saint-barthelemy': 'Saint-Barthélemy',
  'saint-martin': 'Saint-Martin',
}

export const CHANNEL_LABELS: Labels<ChannelKind> = {
  email: 'E-mail',
  webhook: 'Webhook',
  slack: 'Slack',
  mattermost: 'Mattermost',
  teams: 'Microsoft Teams',
  ntfy: 'ntfy',
  sms: 'SMS',
}

export const MAIL_SECURITY_LABELS: Labels<(typeof MAIL_SECURITIES)[number]> = {
  starttls: 'STARTTLS (port 587)',
  tls: 'TLS dès la connexion (port 465)',
  none: 'Aucun (réseau interne seulement)',
}

export const DISCOVERY_METHOD_LABELS: Labels<DiscoveryMethod> = {
  ping: 'Ping',
  reverse_dns: 'DNS inverse',
  ports: 'Ports TCP',
  snmp: 'SNMP (groupe système)',
  lldp: 'Voisins LLDP',
  traceroute: 'Traceroute',
}

export const DISCOVERY_RECURRENCE_LABELS: Labels<DiscoveryRecurrence> = {
  manual: 'À la demande',
  daily: 'Chaque jour',
  weekly: 'Chaque semaine',
}

export const FIELD_SCOPE_LABELS: Labels<FieldScope> = { site: 'Sites', host: 'Équipements' }

export const FIELD_TYPE_LABELS: Labels<FieldType> = {
  text: 'Texte',
  'long-text': 'Texte long',
  integer: 'Nombre entier',
  decimal: 'Nombre décimal',
  boolean: 'Oui ou non',
  date: 'Date',
  choice: 'Choix',
  'multiple-choice': 'Choix multiple',
  url: 'Adresse web',
  email: 'Adresse e-mail',
  phone: 'Téléphone',
  ip: 'Adresse IP',
  mac: 'Adresse MAC',
  host: 'Équipement',
  site: 'Site',
  user: 'Utilisateur',
  secret: 'Secret',
}
