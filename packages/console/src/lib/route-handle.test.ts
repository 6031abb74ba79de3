import { describe, expect, test } from 'vitest'
import { claimsOf, crumbsOf } from './route-handle.ts'

describe('what routes say of themselves', () => {
  test('the breadcrumb is built from each level that has a title', () => {
    const matches = [
      { pathname: '/', handle: undefined },
      { pathname: '/dashboard', handle: { title: 'Tableaux de bord', link: false } },
      { pathname: '/dashboard/live-view', handle: { title: 'Général' } },
    ]
    expect(crumbsOf(matches)).toEqual([
      { name: 'Tableaux de bord', path: '/dashboard', link: false },
      { name: 'Général', path: '/dashboard/live-view', link: true },
    ])
  })

  test('a title may be made of the loaded data', () => {
    const title = (data: unknown) => `Équipement ${String(data)}`
    expect(crumbsOf([{ pathname: '/host/3', handle: { title }, loaderData: 'srv' }])[0]?.name).toBe('Équipement srv')
  })

  test('each level asks one of its claims', () => {
    const matches = [
      { pathname: '/user', handle: { claim: 'user_read' } },
      { pathname: '/user/group', handle: { claim: ['user_group_read', 'user_group_write'] } },
      { pathname: '/user/group/3', handle: { title: 'x' } },
    ]
    expect(claimsOf(matches, true)).toEqual([])
    const wide = [{ pathname: '/', handle: { claim: 'host_write', wide: true } }]
    expect([claimsOf(wide), claimsOf(wide, true)]).toEqual([[['host_write']], [['host_write']]])
    expect(claimsOf(matches)).toEqual([['user_read'], ['user_group_read', 'user_group_write']])
  })
})
