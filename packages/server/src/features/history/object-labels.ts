import { SETTINGS } from '@narval/contracts'
import { FACT_LABELS, HISTORY_LABELS } from './history-labels.ts'

type Labels = Readonly<Record<string, string>>

const TYPE: Labels = { icon: 'Icône' }
const SCOPE: Labels = { siteIds: 'Sites', hostTypeIds: 'Types d’équipement' }

/** French names of fields by the kind of object that they are of, where they are not the same for all. */
const OBJECT_LABELS: Readonly<Record<string, Labels>> = {
  account: {
    ...{ login: 'Nom de compte', firstName: 'Prénom', lastName: 'Nom', email: 'E-mail', phone: 'Téléphone' },
    ...{ avatar: 'Avatar', locked: 'Verrouillé', groups: 'Groupes', claims: 'Droits' },
  },
  'user-group': { claims: 'Droits', members: 'Membres', limited: 'Portée limitée', sites: 'Sites' },
  'site-type': TYPE,
  'host-type': TYPE,
  'host-model': { manufacturer: 'Constructeur' },
  'probe-group': { memberIds: 'Sondes' },
  comment: { text: 'Texte', from: 'Début', to: 'Fin', pinned: 'Épinglé' },
  'log-book-note': { text: 'Texte', at: 'Instant' },
  handover: { text: 'Texte', from: 'Début', to: 'Fin' },
  incident: { parentId: 'Fusionné avec' },
  maintenance: {
    ...{ comment: 'Commentaire', flexibleMinutes: 'Durée flexible (min)', propagate: 'Couvrir aussi ce qui en dépend' },
    ...{ sites: 'Sites', hosts: 'Équipements', metrics: 'Métriques', ends_at: 'Fin' },
    ...{ extra_from: 'Début exceptionnel', extra_to: 'Fin exceptionnelle', skipped_through: 'Terminée avant l’heure' },
    ...{ schedule: 'Plage', 'schedule.kind': 'Plage', 'schedule.from': 'Début', 'schedule.to': 'Fin' },
    ...{ 'schedule.rrule': 'Répétition', 'schedule.start': 'Premier début' },
    ...{ 'schedule.durationMinutes': 'Durée (min)', 'schedule.timeZone': 'Fuseau horaire' },
  },
  'discovery-range': {
    ...{ ranges: 'Adresses', exclusions: 'Adresses exclues', methods: 'Méthodes', ports: 'Ports TCP', rate: 'Débit' },
    ...{ recurrence: 'Répétition', atHour: 'Heure', weekday: 'Jour' },
  },
  'field-definition': {
    ...{ label: 'Libellé', help: 'Aide', type: 'Type', unit: 'Unité', defaultValue: 'Valeur par défaut' },
    ...{ required: 'Champ requis', regex: 'Format imposé', min: 'Minimum', max: 'Maximum', choices: 'Choix' },
    ...{ groupId: 'Groupe de champs', scope: 'Objet', types: 'Types concernés' },
  },
  'field-group': { order: 'Ordre' },
  'notification-rule': {
    ...SCOPE,
    ...{
      severities: 'Gravités',
      kinds: 'De quoi',
      steps: 'Étapes',
      stop: 'Ignorer les règles suivantes',
      position: 'Rang',
    },
    ...{ waitSeconds: 'Attente (s)', newsMinutes: 'Nouvelles (min)', reminderMinutes: 'Rappel (min)' },
    ...{ tellRecovery: 'Annoncer la fin', tellBrief: 'Annoncer les incidents brefs' },
    ...{ period: 'Période', 'period.timeZone': 'Fuseau horaire', 'period.hours': 'Heures' },
    ...{ 'period.holidays': 'Jours fériés', 'period.region': 'Région des jours fériés' },
  },
  'notification-channel': {
    ...{ settings: 'Réglages', secretsGiven: 'Secrets donnés', secretsRemoved: 'Secrets retirés' },
    ...{ 'settings.host': 'Serveur', 'settings.port': 'Port', 'settings.security': 'Chiffrement' },
    ...{ 'settings.user': 'Nom d’utilisateur', 'settings.checkCertificate': 'Vérifier le certificat' },
    ...{ 'settings.from': 'Adresse d’expédition', 'settings.fromName': 'Nom de l’expéditeur' },
    ...{ 'settings.replyTo': 'Adresse de réponse', 'settings.to': 'Destinataires par défaut' },
    ...{ 'settings.url': 'Adresse', 'settings.method': 'Méthode', 'settings.headers': 'En-têtes' },
    ...{ 'settings.body': 'Corps', 'settings.format': 'Format', 'settings.parts': 'SMS par message' },
    ...{ 'settings.channel': 'Canal', 'settings.username': 'Nom affiché', 'settings.server': 'Serveur' },
    ...{ 'settings.topic': 'Sujet', 'settings.priorities': 'Priorités', 'settings.tags': 'Étiquettes' },
  },
  parameter: {
    logo: 'Logo',
    ...Object.fromEntries(Object.entries(SETTINGS).map(([key, { label }]) => [key, label])),
  },
}

/** The French name of a field of a kind of object; undefined for one that has none. */
export const fieldLabel = (kind: string, field: string): string | undefined =>
  OBJECT_LABELS[kind]?.[field] ?? HISTORY_LABELS[field]

/** That of something else that an entry tells, beside changes. */
export const factLabel = (kind: string, field: string): string | undefined =>
  FACT_LABELS[field] ?? fieldLabel(kind, field)
