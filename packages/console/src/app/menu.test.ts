import { type Claim, grants } from '@narval/contracts'
import { describe, expect, test } from 'vitest'
import { ADMINISTRATION_MENU, activeLink, GENERAL_MENU, isGroup, menuLinks, visibleMenu } from './menu.ts'

const as =
  (...held: readonly Claim[]) =>
  (...wanted: readonly Claim[]) =>
    grants(held, ...wanted)
const labels = (...held: readonly Claim[]): string[] =>
  visibleMenu(ADMINISTRATION_MENU, as(...held)).flatMap(entry =>
    isGroup(entry) ? [entry.label, ...entry.children.map(child => `- ${child.label}`)] : [entry.label],
  )

describe('the menu of spec §2', () => {
  test('general entries are for everybody, the dashboards open', () => {
    const menu = visibleMenu(GENERAL_MENU, as())
    expect(menuLinks(menu).map(({ link }) => [link.label, link.to])).toEqual([
      ['Général', '/dashboard/live-view'],
      ['Statuts', '/dashboard/status-view'],
      ['Équipements', '/dashboard/host-status'],
      ['Sites', '/site'],
      ['Équipements', '/host'],
      ['Métriques', '/metric'],
    ])
    expect(menu[0]).toMatchObject({ label: 'Tableaux de bord', open: true })
  })

  test('the administrator sees every entry, in order', () => {
    expect(labels('admin')).toEqual([
      'Édition',
      '- Site',
      '- Équipement',
      '- Métrique',
      'Champs dynamiques',
      'Scanner',
      'Utilisateurs',
      '- Comptes',
      '- Groupes',
      'Sonde',
      'Services Narval',
      'Log',
    ])
  })

  test.each<[Claim, string[]]>([
    ['site_write', ['Édition', '- Site']],
    ['host_write', ['Édition', '- Équipement']],
    ['metric_write', ['Édition', '- Métrique']],
    ['custom_field_write', ['Champs dynamiques']],
    ['scanner_read', ['Scanner']],
    ['user_read', ['Utilisateurs', '- Comptes']],
    ['user_group_read', []],
    ['probe_write', ['Sonde']],
    ['service_read', ['Services Narval']],
    ['log_read', ['Log']],
    ['incident_write', []],
  ])('%s alone shows %j', (claim, shown) => {
    expect(labels(claim)).toEqual(shown)
  })

  test('without any claim nothing stands under ADMINISTRATION', () => {
    expect(labels()).toEqual([])
  })

  test('the entry of a page is the longest address that begins it', () => {
    const menu = [...GENERAL_MENU, ...ADMINISTRATION_MENU]
    expect(activeLink(menu, '/site')).toBe('/site')
    expect(activeLink(menu, '/site/12')).toBe('/site')
    expect(activeLink(menu, '/site/edit/12')).toBe('/site/edit')
    expect(activeLink(menu, '/sites')).toBeNull()
    expect(activeLink(menu, '/user/myaccount')).toBeNull()
  })
})
