import { describe, expect, it } from 'vitest'
import { draftFrom, readDraft } from './diagnostics-draft.ts'

describe('the draft of a diagnostic', () => {
  it('takes from a link what a host’s page knows, in any family of address', () => {
    const draft = draftFrom(new URLSearchParams('essai=http&adresse=2001:db8::1&equipement=12'))
    expect(draft).toMatchObject({ kind: 'http', address: '2001:db8::1', url: 'http://[2001:db8::1]/', hostId: 12 })
    const strange = draftFrom(new URLSearchParams('essai=shell&equipement=-4'))
    expect(strange).toMatchObject({ kind: 'ping', address: '', url: '', hostId: null })
  })

  it('sends what its kind asks for and nothing of the others, or says what is wrong by field', () => {
    const draft = { ...draftFrom(new URLSearchParams()), address: '192.0.2.1', name: 'a b' }
    expect(readDraft(draft)).toEqual({ body: { kind: 'ping', address: '192.0.2.1', count: 5 } })
    expect(readDraft({ ...draft, kind: 'traceroute', address: '-x' })).toEqual({
      errors: { address: 'Une adresse IP ou un nom est attendu' },
    })
    expect(readDraft({ ...draft, kind: 'dns' })).toMatchObject({ errors: { name: expect.stringContaining('espace') } })
    expect(readDraft({ ...draft, kind: 'snmp' })).toMatchObject({ errors: { hostId: expect.any(String) } })
  })
})
