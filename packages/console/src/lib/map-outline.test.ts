import { readFileSync } from 'node:fs'
import { geoContains, geoDistance } from 'd3-geo'
import { feature } from 'topojson-client'
import { describe, expect, it } from 'vitest'
import type { Atlas } from './map-outline.ts'

const atlas: Atlas = JSON.parse(readFileSync(new URL('./geography/france.json', import.meta.url), 'utf8'))
const featuresOf = (name: string) => {
  const object = atlas.objects[name]
  const found = object === undefined ? null : feature(atlas, object)
  if (found?.type !== 'FeatureCollection') throw new Error(`no ${name}`)
  return found.features
}
const departments = featuresOf('departments')
const departmentAt = (longitude: number, latitude: number): string[] =>
  departments.filter(one => geoContains(one, [longitude, latitude])).map(one => String(one.properties?.name))

/** Towns whose place is known, and the department that each is in. */
const TOWNS: readonly (readonly [town: string, longitude: number, latitude: number, department: string])[] = [
  ['Paris', 2.3522, 48.8566, 'Paris'],
  ['Bobigny', 2.4397, 48.9077, 'Seine-Saint-Denis'],
  ['Nanterre', 2.2067, 48.8924, 'Hauts-de-Seine'],
  ['Créteil', 2.4553, 48.7904, 'Val-de-Marne'],
  ['Lyon', 4.8357, 45.764, 'Rhône'],
  ['Marseille', 5.3811, 43.2965, 'Bouches-du-Rhône'],
  ['Strasbourg', 7.7455, 48.5839, 'Bas-Rhin'],
  ['Colmar', 7.3585, 48.0794, 'Haut-Rhin'],
  ['Brest', -4.4861, 48.4, 'Finistère'],
  ['Dunkerque', 2.3768, 51.0344, 'Nord'],
  ['Nancy', 6.1844, 48.6921, 'Meurthe-et-Moselle'],
  ['Melun', 2.6608, 48.5399, 'Seine-et-Marne'],
  ['Dijon', 5.0415, 47.322, 'Côte-d’Or'],
  ['Belfort', 6.8633, 47.638, 'Territoire de Belfort'],
  ['Sartène', 8.9736, 41.6208, 'Corse-du-Sud'],
  ['Bastia', 9.4461, 42.697, 'Haute-Corse'],
  ['Les Abymes', -61.503, 16.271, 'Guadeloupe'],
  ['Fort-de-France', -61.0588, 14.6161, 'Martinique'],
  ['Saint-Laurent-du-Maroni', -54.028, 5.498, 'Guyane'],
  ['Saint-Denis', 55.4504, -20.8907, 'La Réunion'],
  ['Combani', 45.14, -12.779, 'Mayotte'],
]

describe('the geography of France', () => {
  it('has the 101 departments, each once, named as they are', () => {
    const names = departments.map(one => String(one.properties?.name))
    expect(new Set(names).size).toBe(101)
    expect(names).toEqual(expect.arrayContaining(['Haut-Rhin', 'Seine-et-Marne', 'Meurthe-et-Moselle', 'Guyane']))
  })

  it.each(TOWNS)('%s is in its department, and in no other', (_, longitude, latitude, department) => {
    expect(departmentAt(longitude, latitude)).toEqual([department])
  })

  it('lies within 2 km of known capes', () => {
    const vertices = departments.flatMap(({ geometry }) =>
      'coordinates' in geometry ? geometry.coordinates.flat(3) : [],
    )
    const nearestKm = (longitude: number, latitude: number): number => {
      let least = Number.POSITIVE_INFINITY
      for (let at = 0; at + 1 < vertices.length; at += 2) {
        const [x, y] = [vertices[at], vertices[at + 1]]
        if (typeof x === 'number' && typeof y === 'number')
          least = Math.min(least, geoDistance([x, y], [longitude, latitude]) * 6_371)
      }
      return least
    }
    // Pointe du Raz, Cap Corse, Cap d’Antibes, Cap Gris-Nez, Pointe de Penmarc’h.
    const capes = [
      [-4.74, 48.04],
      [9.36, 43.01],
      [7.13, 43.546],
      [1.583, 50.87],
      [-4.374, 47.798],
    ] as const
    for (const [longitude, latitude] of capes) expect(nearestKm(longitude, latitude)).toBeLessThan(2)
  })

  it('borders on the countries around it without a gap: what is beyond a border is in one of them', () => {
    const around = featuresOf('around')
    const beyond = [
      ['380', 7.66, 45.5],
      ['756', 6.1, 46.23],
      ['276', 7.9, 48.6],
      ['056', 3.3, 50.6],
      ['724', 2.0, 42.3],
      ['740', -54.6, 5],
      ['076', -52, 3],
    ] as const
    for (const [id, longitude, latitude] of beyond)
      expect(around.filter(one => geoContains(one, [longitude, latitude])).map(one => String(one.id))).toEqual([id])
  })
})
