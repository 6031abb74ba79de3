import type { HolidayRegion } from '@narval/engine'

/** Words of public holidays that several sections share. */
export const holidays = {
  regions: {
    metropole: 'France métropolitaine',
    'alsace-moselle': 'Alsace-Moselle',
    guadeloupe: 'Guadeloupe',
    guyane: 'Guyane',
    martinique: 'Martinique',
    mayotte: 'Mayotte',
    reunion: 'La Réunion',
    'saint-barthelemy': 'Saint-Barthélemy',
    'saint-martin': 'Saint-Martin',
  } as const satisfies Record<HolidayRegion, string>,
  modes: { ordinary: 'Comme les autres jours', closed: 'Fermé', open: 'À d’autres heures' },
  hours: 'Heures des jours fériés',
  badHours: 'Des heures sont attendues, comme 09:00–12:00, 14:00–16:00',
} as const
