import type { NotificationRuleInput } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { ruleSentence } from './rule-sentence.ts'

const NAMES = {
  sites: [{ id: 1, name: 'Lyon' }],
  hostTypes: [],
  accounts: [{ id: 1, name: 'Claire Legoff' }],
  groups: [{ id: 1, name: 'Astreinte' }],
  channels: [
    { id: 1, name: 'Courriel', personal: true },
    { id: 2, name: 'Salle', personal: false },
  ],
}
const RULE: NotificationRuleInput = {
  ...{ name: 'Nuit', enabled: true, severities: ['error'], kinds: ['host', 'metric', 'probe', 'link'] },
  ...{ siteIds: [1], hostTypeIds: [], tags: [] },
  period: {
    timeZone: 'Europe/Paris',
    hours: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }],
    ...{ holidays: 'sunday', region: 'metropole' },
  },
  steps: [
    { afterMinutes: 0, untilMinutes: null, accountIds: [1], groupIds: [], channelIds: [1, 2] },
    { afterMinutes: 90, untilMinutes: 120, accountIds: [], groupIds: [1], channelIds: [1] },
  ],
  ...{ waitSeconds: null, newsMinutes: null, reminderMinutes: null, tellRecovery: true, tellBrief: false, stop: true },
}

describe('a rule in one sentence', () => {
  it('says of what, when, whom after how long, and what follows', () => {
    expect(ruleSentence(RULE, NAMES)).toEqual([
      'Pour tout ce qui est surveillé en erreur à Lyon et au-dessous, lun.–ven. 08:00–18:00, les jours fériés comme un dimanche\u202f:',
      'aussitôt, Claire Legoff par Courriel et Salle\u202f;',
      'après 1\u202fh\u202f30 sans acquittement (jusqu’à 2\u202fh), le groupe Astreinte par Courriel\u202f;',
      'la fin est annoncée à ceux qui ont su le problème\u202f;',
      'les règles suivantes sont ignorées pour cela.',
    ])
  })

  it('lists with commas and one « et », whatever kinds of channels it mixes, and ends with one full stop', () => {
    const channels = ['SMS', 'Appel', 'Salle', 'Mur', 'Radio'].map((name, at) => ({
      ...{ id: at + 1, name, personal: at < 2 },
    }))
    const step = { afterMinutes: 0, untilMinutes: null, accountIds: [], groupIds: [], channelIds: [1, 2, 3, 4, 5] }
    const said = ruleSentence({ ...RULE, steps: [step], stop: false, tellRecovery: false }, { ...NAMES, channels })
    expect(said.slice(1)).toEqual(['aussitôt, SMS, Appel, Salle, Mur et Radio\u202f;', 'la fin n’est pas annoncée.'])
  })
})
