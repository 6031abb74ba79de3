import type { FieldWords } from './field-word.ts'

export const SITE_WORDS: FieldWords = {
  code: { text: 'Code court et unique.', example: 'PAR' },
  address: { text: 'Adresse.', example: '12 rue de la Paix' },
  postalCode: { text: 'Code postal.', example: '75002' },
  city: { text: 'Ville.', example: 'Paris' },
  country: 'Pays.',
  latitude: 'Latitude en degrés.',
  longitude: 'Longitude en degrés.',
  timeZone: 'Fuseau horaire (nom IANA).',
  contactName: 'Personne à joindre.',
  contactPhone: 'Téléphone de la personne à joindre.',
  contactEmail: 'Adresse e-mail de la personne à joindre.',
  openingHours: {
    text: 'Heures de service, dans le fuseau du site ; vide : à toute heure.',
    example: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }],
  },
  'openingHours.days': 'Jours de la semaine, 1 pour lundi.',
  'openingHours.from': 'Heure de début.',
  'openingHours.to': 'Heure de fin ; 24:00 pour minuit.',
  holidays: {
    text: 'Les jours fériés (de France, d’Alsace-Moselle ou d’outre-mer, selon le pays et le code postal) ; null : comme les autres jours ; vide : fermé ; sinon ouvert à ces heures.',
    example: [{ from: '09:00', to: '12:00' }],
  },
  'holidays.from': 'Heure de début.',
  'holidays.to': 'Heure de fin ; 24:00 pour minuit.',
  typeIcon: 'Icône du type (nom Tabler).',
  partial:
    'Vrai quand le compte ne voit du site que certains équipements, par une étiquette : les chiffres ne comptent qu’eux, et le site ne se modifie pas.',
  'Site.effectiveProbe':
    'Sonde que reçoivent les équipements du site : la sienne, sinon celle d’un site au-dessus, sinon la sonde locale.',
  'effectiveProbe.origin': 'D’où vient cette sonde : équipement, site ou plateforme (la sonde locale).',
  'Site/CreateType.name': { text: 'Nom, unique sans égard à la casse ni aux accents.', example: 'Agence' },
  'Site/UpdateType.name': { text: 'Nom, unique sans égard à la casse ni aux accents.', example: 'Agence' },
  'SiteNode.hosts': 'Nombre d’équipements du site lui-même.',
  'SiteNode.counts': 'Équipements du site lui-même par sévérité, hors ceux qui sont désactivés.',
}
