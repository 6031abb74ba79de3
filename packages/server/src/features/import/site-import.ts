import {
  fold,
  holidayHours,
  holidayText,
  IMPORT_FIELDS,
  openingHours,
  openingText,
  readHolidayText,
  readOpeningText,
  siteBody,
} from '@narval/contracts'
import { numberOf, numberText } from '../../csv/csv-cells.ts'
import type { Viewer } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { mapInTurns } from '../../turns.ts'
import { readSites } from './import.store.ts'
import { createNames, oneOf } from './import-names.ts'
import { type Body, type EntityImport, type Existing, type Fault, isFault, type Row } from './import-object.ts'
import type { References } from './import-references.ts'
import { checkBody } from './import-validation.ts'

/** Sites found by their code, else by a name that only one has; new ones of the same file too. */
export interface SiteFinder {
  readonly all: readonly (Existing & { readonly code: string; readonly parentId: number | null })[]
  byCode(code: string): Existing | null
  find(codeOrName: string): number | Fault
  /** Its code, which finds it again. */
  codeOf(id: unknown): string
  add(id: number, code: string, name: string): void
}

export const findSites = async (db: Db, viewer: Viewer): Promise<SiteFinder> => {
  const all = await readSites(db, viewer)
  const byCode = new Map(all.map(site => [fold(site.code), site]))
  const ids = new Map(all.map(site => [fold(site.code), site.id]))
  const codes = new Map(all.map(site => [site.id, site.code]))
  const names = createNames(all)
  return {
    all,
    byCode: code => byCode.get(fold(code)) ?? null,
    find: text => ids.get(fold(text)) ?? oneOf(names.find(text), 'Le site', text),
    codeOf: id => (typeof id === 'number' ? (codes.get(id) ?? '') : ''),
    add(id, code, name) {
      ids.set(fold(code), id)
      codes.set(id, code)
      names.add(id, name)
    },
  }
}

const COORDINATES = new Set(['latitude', 'longitude'])
const REFERENCES: Readonly<Record<string, string>> = { type: 'typeId', parent: 'parentId', probe: 'probeId' }
const FIELDS = new Map(Object.entries(REFERENCES).map(([field, key]) => [key, field]))
/** The column of a path of the schema: what is wrong with one range is wrong with the hours. */
const fieldOf = (path: string): string => {
  const [first = path] = path.split('.')
  return FIELDS.get(first) ?? first
}
const NO_HOURS = 'Des heures de service sont attendues, comme « lun.–ven. 08:00–18:00 ; sam. 09:00–12:00 ».'

const NO_HOLIDAYS = 'Pour les jours fériés, « fermé » ou des heures sont attendues, comme « 09:00–12:00 ».'

export const siteImport = async (db: Db, viewer: Viewer, references: References): Promise<EntityImport> => {
  const sites = await findSites(db, viewer)
  const reference = (field: string, cell: string): number | null | Fault => {
    if (field === 'type') return references.type('site_type', cell)
    if (field === 'probe') return references.probe(cell)
    return cell === '' ? null : sites.find(cell)
  }
  return {
    entity: 'site',
    fields: IMPORT_FIELDS.site,
    creates: true,
    words: { exists: 'Un site de ce code existe déjà.', missing: "Aucun site n'a ce code." },
    async identify(rows, report) {
      return mapInTurns(rows, row => {
        const code = row.cell('code') ?? ''
        if (code !== '') return { key: fold(code), name: row.cell('name') || code, existing: sites.byCode(code) }
        report(row, 'code', 'Champ requis.')
        return null
      })
    },
    announce: (id, row) => sites.add(id, row.cell('code') ?? '', row.cell('name') ?? ''),
    read(field, cell, _row: Row, _body: Body, existing) {
      const key = REFERENCES[field]
      if (key !== undefined) {
        const id = reference(field, cell)
        return isFault(id) ? id : { [key]: id }
      }
      if (COORDINATES.has(field)) {
        const value = cell === '' ? null : numberOf(cell)
        return value === null && cell !== '' ? { fault: 'Un nombre est attendu.' } : { [field]: value }
      }
      // It can not be empty: what it was, or what is usual, stays.
      if (field === 'timeZone' && cell === '') return existing === null ? {} : { timeZone: existing.body.timeZone }
      if (field === 'openingHours') {
        const ranges = readOpeningText(cell)
        return ranges === null ? { fault: NO_HOURS } : { openingHours: ranges }
      }
      if (field === 'holidays') {
        const hours = readHolidayText(cell)
        return hours === undefined ? { fault: NO_HOLIDAYS } : { holidays: hours }
      }
      return { [field]: cell }
    },
    validate: body => checkBody(siteBody, body, Object.values(REFERENCES), fieldOf),
    show(field, body) {
      if (field === 'type') return references.typeName('site_type', body.typeId)
      if (field === 'probe') return references.probeName(body.probeId)
      if (field === 'parent') return sites.codeOf(body.parentId)
      if (field === 'openingHours') return openingText(openingHours.parse(body.openingHours ?? []))
      if (field === 'holidays') return holidayText(holidayHours.parse(body.holidays ?? null))
      return COORDINATES.has(field) ? numberText(body[field]) : String(body[field] ?? '')
    },
    parents: new Map(sites.all.map(site => [site.id, site.parentId === null ? [] : [site.parentId]])),
    parentsOf: body => (typeof body.parentId === 'number' ? [body.parentId] : []),
    cycleFault: { field: 'parent', message: 'Un site ne peut être son propre parent, même de loin.' },
  }
}
