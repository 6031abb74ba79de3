import type { ChainLink } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { causeTexts } from './notification-text.ts'

const link = (name: string, severity: ChainLink['severity'], cause = false): ChainLink => ({
  ...{ kind: 'host', id: 1, name, severity, state: severity === 'ok' ? 'Disponible' : 'Indisponible', cause },
  ...{ since: null, evidence: 'Ping.', at: null, incidentId: null },
})

describe('the cause that a message names', () => {
  it('is the faulty link first, then what else is wrong; what is well is left out', () => {
    const links = [link('sonde', 'ok'), link('switch', 'unknown'), link('routeur', 'error', true), link('srv', 'error')]
    expect(causeTexts(links)).toEqual([
      'routeur\u202f: Indisponible, origine du problème. Ping.',
      'switch\u202f: Indisponible. Ping.',
      'srv\u202f: Indisponible. Ping.',
    ])
  })
})
