import type { FieldWords } from './field-word.ts'

export const HOST_WORDS: FieldWords = {
  'Host/Create.name': { text: 'Nom.', example: 'srv-paris-01' },
  'Host/Update.name': { text: 'Nom.', example: 'srv-paris-01' },
  'Host/Create.address': { text: 'Adresse IPv4, IPv6, ou nom DNS.', example: '192.0.2.10' },
  'Host/Update.address': { text: 'Adresse IPv4, IPv6, ou nom DNS.', example: '192.0.2.10' },
  'Host.address': 'Adresse IPv4, IPv6, ou nom DNS.',
  'Host.state': 'État de l’équipement.',
  'Host.counts': 'Métriques de l’équipement par sévérité.',
  lifeScannerId: 'Scanner dont l’échec confirmé rend l’équipement indisponible ; null : son premier ping.',
  withPing: 'Crée aussi un scanner de type ping.',
  lastAnswer: 'Dernière fois que l’équipement a répondu.',
  manufacturer: 'Constructeur.',
  'Host/Check.scanners': 'Nombre de scanners relancés.',
  'Host/Check.probes': 'Nombre de sondes prévenues.',

  // Dependencies, monitoring models, custom fields of equipment.
  parentIds: 'Équipements par lesquels on l’atteint.',
  parents: 'Ces équipements, avec leur nom.',
  children: 'Équipements qui en dépendent.',
  monitoringModelIds: 'Modèles de supervision dont il hérite, dans leur ordre : le premier l’emporte.',
  monitoringModels: 'Ces modèles, avec leur nom.',
  customFields: 'Champs dynamiques lisibles qui ont une valeur, par clé.',
  'effectiveProbe.originName': 'Nom de ce dont elle vient.',
  'effectiveProbe.originId': 'Identifiant de ce dont elle vient ; null : la plateforme.',
}
