import { fold, requiredLine } from '@narval/contracts'
import type { Lists } from './import.store.ts'
import { createNames, type Names, oneOf, short } from './import-names.ts'
import { type Fault, isFault } from './import-object.ts'

/** What an import may create beside its rows. */
export const CREATED_LISTS = ['site_type', 'host_type', 'host_model'] as const
export type CreatedList = (typeof CREATED_LISTS)[number]
export interface NewName {
  readonly list: CreatedList
  /** Below 0. */
  readonly id: number
  readonly name: string
  readonly manufacturer: string
}

/** Names that cells refer to, found or, where that was asked for, created. */
export interface References {
  readonly created: readonly NewName[]
  type(list: 'site_type' | 'host_type', name: string): number | null | Fault
  typeName(list: 'site_type' | 'host_type', id: unknown): string
  /** A hardware model; without a manufacturer told, the one of that name. */
  model(name: string, manufacturer: string | undefined, current: unknown): number | null | Fault
  modelName(id: unknown): { readonly name: string; readonly manufacturer: string }
  probe(name: string): number | null | Fault
  probeName(id: unknown): string
  readonly models: Names
}

const TYPE_NAME = requiredLine(60)
const MODEL_NAME = requiredLine(120)
const LABELS = { site_type: 'Le type de site', host_type: "Le type d'équipement" } as const

export const createReferences = (lists: Lists, createTypes: boolean): References => {
  const created: NewName[] = []
  const names = { site_type: createNames(lists.siteTypes), host_type: createNames(lists.hostTypes) }
  const probes = createNames(lists.probes)
  const hardware = createNames(lists.hostModels)
  const manufacturers = new Map(lists.hostModels.map(model => [model.id, model.manufacturer]))
  const create = (list: CreatedList, name: string, manufacturer: string): number => {
    const id = -(created.length + 1)
    created.push({ list, id, name, manufacturer })
    return id
  }
  return {
    created,
    models: createNames(lists.models),
    type(list, name) {
      if (name === '') return null
      const found = oneOf(names[list].find(name), LABELS[list], name)
      if (!isFault(found) || !createTypes || names[list].find(name).length > 0) return found
      if (!TYPE_NAME.safeParse(name).success) return { fault: `${LABELS[list]} « ${short(name)} » est trop long.` }
      const id = create(list, name, '')
      names[list].add(id, name)
      return id
    },
    typeName: (list, id) => (typeof id === 'number' ? names[list].nameOf(id) : ''),
    model(name, manufacturer, current) {
      if (name === '') return manufacturer === undefined || manufacturer === '' ? null : { fault: 'Le modèle manque.' }
      const same = hardware.find(name)
      const ids =
        manufacturer === undefined ? same : same.filter(id => fold(manufacturers.get(id) ?? '') === fold(manufacturer))
      const label = 'Le modèle matériel'
      if (ids.length > 0 || !createTypes)
        return oneOf(ids, label, `${manufacturer ?? ''} ${name}`.trim(), id => id === current)
      const isShort = MODEL_NAME.safeParse(name).success && (manufacturer ?? '').length <= 120
      if (!isShort) return { fault: `${label} « ${short(name)} » est trop long.` }
      const id = create('host_model', name, manufacturer ?? '')
      hardware.add(id, name)
      manufacturers.set(id, manufacturer ?? '')
      return id
    },
    modelName: id =>
      typeof id === 'number'
        ? { name: hardware.nameOf(id), manufacturer: manufacturers.get(id) ?? '' }
        : { name: '', manufacturer: '' },
    probe: name => (name === '' ? null : oneOf(probes.find(name), 'La sonde', name)),
    probeName: id => (typeof id === 'number' ? probes.nameOf(id) : ''),
  }
}
