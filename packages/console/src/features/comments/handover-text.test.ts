import type { HandoverSummary } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { handoverText, noteParts } from './handover-text.ts'

const at = (day: number, hour: number) => new Date(2026, 2, day, hour)
const incident: HandoverSummary['open'][number] = {
  ...{ id: 12, title: 'srv-1\u202f: Ping', severity: 'error', siteName: 'Lyon', inCharge: 'marie', acknowledged: true },
  ...{ openedAt: at(10, 8).toISOString(), closedAt: null },
}
const NOTHING: HandoverSummary = {
  ...{ open: [], openCount: 0, ended: [], endedCount: 0, begunCount: 0 },
  ...{ maintenances: [], maintenanceCount: 0, notes: [], noteCount: 0 },
}
const SHIFT = { from: at(10, 6), to: at(10, 14) }

describe('the words of a hand-over note', () => {
  it('say what is open, what ended, what is in maintenance and what was noted, and how many are left out', () => {
    const text = handoverText(SHIFT, {
      ...{ open: [incident], openCount: 3, begunCount: 4 },
      ended: [{ ...incident, id: 13, siteName: null, closedAt: at(10, 9).toISOString() }],
      endedCount: 1,
      maintenances: [{ id: 1, comment: 'Onduleur', until: at(10, 18).toISOString(), hosts: 3 }],
      maintenanceCount: 1,
      notes: [{ at: at(10, 11).toISOString(), author: 'Claire Legoff', text: 'Ronde faite', siteName: null }],
      noteCount: 1,
    })
    expect(text.split('\n')).toEqual([
      'Poste du mardi 10 mars, 06:00 – 14:00',
      '',
      'INCIDENTS OUVERTS (3)',
      '• Erreur — srv-1\u202f: Ping (Lyon), depuis le 10/03 à 08:00, acquitté par marie [incident n°\u202f12]',
      '… et 2 de plus',
      '',
      'INCIDENTS TERMINÉS PENDANT LE POSTE (1)',
      '• srv-1\u202f: Ping, du 10/03 à 08:00 au 10/03 à 09:00 [incident n°\u202f13]',
      '4 incidents ont commencé pendant le poste.',
      '',
      'MAINTENANCES EN COURS (1)',
      '• Onduleur (3 équipements), jusqu’au 10/03 à 18:00',
      '',
      'NOTES DU POSTE (1)',
      '• 11:00 Claire Legoff\u202f: Ronde faite',
      '',
      'À SUIVRE',
      '• ',
    ])
  })
  it('say that there is nothing, and who takes care of nothing', () => {
    expect(handoverText(SHIFT, NOTHING)).toContain('Rien d’ouvert.\n')
    const alone = { ...incident, inCharge: null, acknowledged: false }
    expect(handoverText(SHIFT, { ...NOTHING, open: [alone], openCount: 1 })).toContain('personne ne s’en occupe')
  })
  it('lead to the incidents that they name; the pieces together are the text, whatever is written', () => {
    const text = 'Voir [incident n°\u202f12] et [incident n°7], pas [incident n°0] ni incident 4'
    const parts = noteParts(text)
    expect(parts.map(part => part.text).join('')).toBe(text)
    expect(parts.flatMap(part => part.incidentId ?? [])).toEqual([12, 7])
  })
})
