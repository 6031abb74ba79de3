import { type ModelScanner, modelScanner, NO_THRESHOLDS } from '@narval/contracts'
import { expect, test } from 'vitest'
import { type ComparedModel, modelChanges } from './model-diff.ts'

const ping = modelScanner.parse({ item: 'a', name: 'Ping', kind: 'ping', parameters: { count: 5, size: 56 } })
const web = modelScanner.parse({ item: 'b', name: 'Web', kind: 'http', parameters: { url: 'http://{address}/' } })
const model = (scanners: readonly ModelScanner[], rest: Partial<ComparedModel> = {}): ComparedModel => ({
  name: 'Routeur',
  description: '',
  definition: { scanners: [...scanners], fields: {} },
  ...rest,
})
const loss = (warningHigh: number) => ({
  ...ping,
  metrics: [
    {
      ...{ key: 'loss_ratio', formulas: {}, attempts: null, noData: 'unknown' as const, enabled: true },
      thresholds: { ...NO_THRESHOLDS, warningHigh, errorHigh: 0.5 },
    },
  ],
})

test('scanners added, taken away, renamed, moved and switched off are each said by name', () => {
  expect(modelChanges(model([ping]), model([ping, web]))).toEqual(['Scanner ajouté\u202f: Web (HTTP)'])
  expect(modelChanges(model([ping, web]), model([web]))).toEqual(['Scanner retiré\u202f: Ping (Ping)'])
  expect(modelChanges(model([ping, web]), model([web, ping]))).toEqual(['Ordre des scanners changé'])
  expect(modelChanges(model([web]), model([{ ...web, name: 'Site', enabled: false }]))).toEqual([
    'Scanner renommé\u202f: Web → Site',
    'Site\u202f: désactivé',
  ])
  expect(modelChanges(model([ping, web]), model([ping, web]))).toEqual([])
})

test('a figure of the schedule and a parameter are said with both values', () => {
  expect(
    modelChanges(model([ping]), model([{ ...ping, intervalSeconds: 30, parameters: { count: 10, size: 56 } }])),
  ).toEqual([
    'Ping\u202f: intervalle de contrôle valeur de la plateforme → 30\u202fs',
    'Ping\u202f: nombre d’échos 5 → 10',
  ])
})

test('a threshold is said in the unit of its metric, compared with the kind’s where the model said nothing', () => {
  expect(modelChanges(model([loss(0.8)]), model([loss(0.9)]))).toEqual([
    'Ping · Perte de paquets\u202f: seuil d’alerte haut 80\u202f% → 90\u202f%',
  ])
  expect(modelChanges(model([ping]), model([loss(0.2)]))).toEqual([
    'Ping · Perte de paquets\u202f: seuil d’alerte haut 10\u202f% → 20\u202f%',
  ])
})

test('a formula is said as it is written, a clear value with the threshold that it belongs to', () => {
  const [metric] = loss(0.1).metrics
  if (metric === undefined) throw new Error('no metric')
  const after = {
    ...ping,
    metrics: [
      {
        ...metric,
        thresholds: { ...metric.thresholds, errorHighClear: 0.4 },
        formulas: { warningHigh: 'champ.perte * 0,9' },
      },
    ],
  }
  expect(modelChanges(model([loss(0.1)]), model([after]))).toEqual([
    'Ping · Perte de paquets\u202f: seuil d’alerte haut 10\u202f% → champ.perte * 0,9',
    'Ping · Perte de paquets\u202f: valeur de retour du seuil d’erreur haut — → 40\u202f%',
  ])
})

test('names and values of custom fields are said with their labels', () => {
  const after = model([], { name: 'Switch', definition: { scanners: [], fields: { debit: 100 } } })
  expect(modelChanges(model([]), after, [{ key: 'debit', label: 'Débit', type: 'integer', unit: 'Mbit' }])).toEqual([
    'Nom\u202f: «\u202fRouteur\u202f» → «\u202fSwitch\u202f»',
    'Champ Débit\u202f: vide → 100\u202fMbit',
  ])
})
