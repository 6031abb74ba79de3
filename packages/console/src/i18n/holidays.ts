/** Words of public holidays that several sections share. */
export const holidays = {
  modes: { ordinary: 'Comme les autres jours', closed: 'Fermé', open: 'À d’autres heures' },
  hours: 'Heures des jours fériés',
  badHours: 'Des heures sont attendues, comme 09:00–12:00, 14:00–16:00',
} as const
