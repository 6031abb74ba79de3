import { fold, IMPORT_FIELDS, metricUpdateBody, type Thresholds, thresholds } from '@narval/contracts'
import { thresholdFaults } from '@narval/engine'
import * as z from 'zod/mini'
import { booleanOf, booleanText, numberOf, numberText } from '../../csv/csv-cells.ts'
import type { Viewer } from '../../http/caller.ts'
import { THRESHOLD_FAULT_TEXTS } from '../../monitoring/fleet/threshold-texts.ts'
import type { Db } from '../../store/database.ts'
import { mapInTurns } from '../../turns.ts'
import { type MetricTarget, placeOf, readMetrics } from './import.store.ts'
import { short } from './import-names.ts'
import type { Body, EntityImport, Fault, Identity, Report, Row } from './import-object.ts'
import { checkBody } from './import-validation.ts'

const schema = z.omit(metricUpdateBody, { updatedAt: true })
const SIDES = new Set<string>(Object.keys(thresholds.shape))
const NO_DATA: Readonly<Record<string, string>> = {
  inconnu: 'unknown',
  unknown: 'unknown',
  garde: 'keep',
  keep: 'keep',
}

/** Metrics that are there: their names, thresholds, attempts, policy and whether they are on. */
export const metricImport = async (db: Db, viewer: Viewer): Promise<EntityImport> => ({
  entity: 'metric',
  fields: IMPORT_FIELDS.metric,
  creates: false,
  words: { exists: 'Cette métrique existe déjà.', missing: "Cette métrique n'existe pas : son scanner la crée." },
  async identify(rows, report) {
    const [ids, hosts] = [
      rows.flatMap(row => idOf(row) ?? []),
      rows.flatMap(row => (row.cell('id') ? [] : (row.cell('host') ?? []))),
    ]
    const found = await readMetrics(db, viewer, [...new Set(ids)], [...new Set(hosts.map(fold))])
    const byId = new Map(found.map(metric => [metric.id, metric]))
    const byPlace = Map.groupBy(byId.values(), metric => metric.place)
    return mapInTurns(rows, row => meant(row, byId, byPlace, report))
  },
  announce: () => undefined,
  read,
  validate(body) {
    const checked = checkBody(schema, body, [], path => path.split('.').at(-1) ?? '')
    if ('faults' in checked) return checked
    const faults = thresholdFaults(thresholdsOf(checked.body))
    return faults.length === 0
      ? checked
      : { faults: faults.map(({ field, code }) => ({ field, message: `${THRESHOLD_FAULT_TEXTS[code]}.` })) }
  },
  show,
  parents: new Map(),
  parentsOf: () => [],
  cycleFault: { field: 'id', message: '' },
})

const idOf = (row: Row): number | null => {
  const cell = row.cell('id') ?? ''
  return /^[1-9]\d{0,9}$/.test(cell) && Number(cell) <= 2_147_483_647 ? Number(cell) : null
}

const meant = (
  row: Row,
  byId: ReadonlyMap<number, MetricTarget>,
  byPlace: ReadonlyMap<string, readonly MetricTarget[]>,
  report: Report,
): Identity | null => {
  const number = row.cell('id') ?? ''
  const place = placeOf(row.cell('host') ?? '', row.cell('scanner') ?? '', row.cell('key') ?? '')
  const found =
    number === '' ? (byPlace.get(place) ?? []) : [byId.get(idOf(row) ?? 0)].filter(metric => metric !== undefined)
  const [metric, other] = found
  if (metric !== undefined && other === undefined) return { key: `#${metric.id}`, name: metric.name, existing: metric }
  const sentence =
    number !== ''
      ? `Aucune métrique n'a le numéro ${short(number)}.`
      : other === undefined
        ? "Aucune métrique n'est à cet équipement, ce scanner et cette clé."
        : 'Plusieurs métriques sont à cet équipement, ce scanner et cette clé : donnez leur identifiant.'
  report(row, number === '' ? 'host' : 'id', sentence)
  return null
}

const thresholdsOf = (body: Body): Thresholds => thresholds.parse(body.thresholds)

const read = (field: string, cell: string, _row: Row, body: Body): Body | Fault => {
  if (SIDES.has(field) || field === 'attempts') {
    const value = cell === '' ? null : numberOf(cell)
    if (value === null && cell !== '') return { fault: 'Un nombre est attendu.' }
    return field === 'attempts' ? { attempts: value } : { thresholds: { ...thresholdsOf(body), [field]: value } }
  }
  if (field === 'name') return { name: cell }
  if (field === 'noData' && cell !== '') {
    const noData = NO_DATA[fold(cell)]
    return noData === undefined ? { fault: '« inconnu » ou « gardé » est attendu.' } : { noData }
  }
  if (field === 'enabled' && cell !== '') {
    const enabled = booleanOf(cell)
    return enabled === null ? { fault: '« oui » ou « non » est attendu.' } : { enabled }
  }
  return {}
}

const show = (field: string, body: Body): string => {
  if (SIDES.has(field)) return numberText(new Map<string, unknown>(Object.entries(thresholdsOf(body))).get(field))
  if (field === 'attempts') return numberText(body.attempts)
  if (field === 'noData') return body.noData === 'keep' ? 'gardé' : 'inconnu'
  if (field === 'enabled') return booleanText(body.enabled)
  return field === 'name' ? String(body.name ?? '') : ''
}
