import { expect, it } from 'vitest'
import { distinctNames } from './metric-names.ts'

const metric = (id: number, hostId: number, name: string, scannerName: string) => ({ id, hostId, name, scannerName })

it('of two metrics of a host with the same name each says its scanner, of two hosts none does', () => {
  const names = distinctNames([
    metric(1, 7, 'Temps de connexion', 'Réponse'),
    metric(2, 7, 'Temps de connexion', 'Page web'),
    metric(3, 7, 'Code de réponse', 'Page web'),
    metric(4, 8, 'Temps de connexion', 'Réponse'),
  ])
  expect([...names.values()]).toEqual([
    'Temps de connexion (Réponse)',
    'Temps de connexion (Page web)',
    'Code de réponse',
    'Temps de connexion',
  ])
})
