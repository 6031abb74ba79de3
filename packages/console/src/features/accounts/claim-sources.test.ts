import { describe, expect, it } from 'vitest'
import { claimSources, isLimited, lackedLabels, shortNames } from './claim-sources.ts'

const everywhere = {
  id: 1,
  name: 'Exploitants',
  claims: ['host_write', 'log_read'],
  limited: false,
  sites: [],
  tags: [],
}
const lyon = {
  ...{ id: 2, name: 'Lyon', claims: ['host_write', 'incident_write'], limited: true },
  ...{ sites: [{ name: 'Lyon' }], tags: [] },
}
const lights = {
  ...{ id: 4, name: 'Éclairage', claims: ['incident_write'], limited: true },
  ...{ sites: [{ name: 'Lyon' }], tags: ['éclairage'] },
}
const admins = { id: 3, name: 'Administrateurs', claims: ['admin'], limited: false, sites: [], tags: [] }

const reaches = (own: readonly string[], groups: Parameters<typeof claimSources>[1]) =>
  Object.fromEntries(
    claimSources(own, groups)
      .filter(({ reach }) => reach !== 'none')
      .map(({ claim, reach }) => [claim, reach]),
  )

describe('where the rights of an account come from', () => {
  it('own rights and those of groups add up, those of a limited group on its sites', () => {
    expect(reaches(['site_write'], [everywhere, lyon])).toEqual({
      ...{ site_write: 'everywhere', host_write: 'everywhere', log_read: 'everywhere' },
      incident_write: 'sites',
    })
    const [, , host] = claimSources([], [everywhere, lyon])
    expect([host?.claim, host?.groups, host?.own]).toEqual(['host_write', ['gives', 'sites'], false])
  })

  it('with limited groups alone, rights on the whole platform have no effect and own ones hold on the sites', () => {
    expect(isLimited(['log_read'], [lyon])).toBe(true)
    expect(reaches(['log_read', 'metric_write'], [lyon])).toEqual({
      ...{ log_read: 'without', metric_write: 'sites', host_write: 'sites', incident_write: 'sites' },
    })
  })

  it('admin gives everything everywhere, whatever limits there are', () => {
    const sources = claimSources([], [lyon, admins])
    expect(sources.every(({ reach }) => reach === 'everywhere')).toBe(true)
    expect(sources.find(({ claim }) => claim === 'host_write')?.byAdmin).toBe(false)
    expect(sources.find(({ claim }) => claim === 'log_read')?.byAdmin).toBe(true)
    expect(isLimited([], [lyon, admins])).toBe(false)
  })

  it('tells where a right holds in part: in the places of the groups that give it, an own one in those of all', () => {
    const places = (own: readonly string[], claim: string) =>
      claimSources(own, [lyon, lights]).find(source => source.claim === claim)?.places
    const tag = 'étiquette «\u202féclairage\u202f»'
    expect(places([], 'host_write')).toEqual(['Lyon'])
    expect(places([], 'incident_write')).toEqual(['Lyon', tag])
    expect(places(['host_write'], 'host_write')).toEqual(['Lyon', tag])
    expect(places([], 'site_write')).toEqual([])
    expect(shortNames(['a', 'b', 'c', 'd', 'e'])).toMatch(/^a, b, c et 2\sautres$/)
    expect(shortNames([])).toBe('nulle part')
  })

  it('names what one may neither give nor take', () => {
    expect(lackedLabels(['host_write'], ['host_write', 'log_read'])).toBe('Journal\u202f: lecture')
    expect(lackedLabels(['admin'], ['host_write', 'log_read'])).toBe('')
  })
})
