import type { ChainLink } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { causeElsewhere, chainSteps, nameOf } from './chain-view.ts'

const link = (over: Partial<ChainLink>): ChainLink => ({
  kind: 'host',
  id: 1,
  name: 'rtr-1',
  severity: 'ok',
  state: 'Disponible',
  since: null,
  evidence: '',
  at: null,
  cause: false,
  incidentId: null,
  ...over,
})
const page = { incidentId: 7, seesProbes: true }
const chain = [
  link({ kind: 'probe', id: 3 }),
  link({ severity: 'error', cause: true, incidentId: 5 }),
  link({ id: 2, severity: 'unknown' }),
  link({ kind: 'metric', id: 9, severity: 'error', incidentId: 7 }),
]

describe('the causal chain as it is shown', () => {
  it('what is bad after the cause follows from it, what is good says nothing', () => {
    expect(chainSteps(chain, page).map(step => step.role)).toEqual(['good', 'cause', 'consequence', 'consequence'])
  })
  it('without a known cause nothing is said to follow from anything', () => {
    const unexplained = chain.map(one => ({ ...one, cause: false }))
    expect(chainSteps(unexplained, page).map(step => step.role)).toEqual(['good', 'trouble', 'trouble', 'trouble'])
  })
  it('a link leads to its own page, and to its own incident unless that is the page', () => {
    expect(chainSteps(chain, page).map(step => [step.to, step.incidentTo])).toEqual([
      ['/probe/edit/3', null],
      ['/host/1', '/dashboard/live-view/incident/5'],
      ['/host/2', null],
      ['/metric/9', null],
    ])
  })
  it('a probe is no link for those who may not open it, neither is its way', () => {
    const steps = chainSteps([link({ kind: 'probe' }), link({ kind: 'link' })], { ...page, seesProbes: false })
    expect(steps.map(step => step.to)).toEqual([null, null])
  })
  it('the cause is told apart only where it is not what the page is about', () => {
    expect(causeElsewhere(chain)?.name).toBe('rtr-1')
    expect(causeElsewhere([link({}), link({ cause: true })])).toBeNull()
    expect(causeElsewhere([link({})])).toBeNull()
  })
  it('a name that says what it is says it once', () => {
    const named = [
      { kind: 'probe', name: 'Lyon' },
      { kind: 'probe', name: 'Sonde d’essai' },
      { kind: 'link', name: 'Liaison de la sonde Lyon' },
      { kind: 'host', name: 'rtr-1' },
    ] as const
    expect(named.map(nameOf)).toEqual([
      'la sonde Lyon',
      'la sonde d’essai',
      'la liaison de la sonde Lyon',
      'l’équipement rtr-1',
    ])
  })
})
