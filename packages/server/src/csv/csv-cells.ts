import { fold } from '@narval/contracts'
import { decimalComma } from './csv-write.ts'

/** What cells mean in French files; null for what is none. Cells are trimmed by who asks. */

const NUMBER = /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i
/** A number with comma or point, spaces between thousands allowed. */
export const numberOf = (cell: string): number | null => {
  const text = cell.replaceAll('−', '-').replace(/(?<=\d)[\s\u00A0\u202F](?=\d{3})/g, '')
  const value = NUMBER.test(text) ? Number(text.replace(',', '.')) : Number.NaN
  return Number.isFinite(value) ? value : null
}

const YES = new Set(['oui', 'vrai', '1', 'true', 'yes', 'actif', 'active'])
const NO = new Set(['non', 'faux', '0', 'false', 'no', 'desactive', 'desactivee'])
export const booleanOf = (cell: string): boolean | null => {
  const word = fold(cell)
  return YES.has(word) ? true : NO.has(word) ? false : null
}

/** Several texts in one cell: separated by commas, in quotes where they hold one. */
export const joinList = (items: readonly string[]): string =>
  items.map(item => (/[,"]|^\s|\s$/.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join(', ')

const ITEM = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?:,|$)/y
/** The texts of a cell, as `joinList` or a person wrote them; empty ones are left out. */
export const splitList = (cell: string): string[] => {
  const items: string[] = []
  ITEM.lastIndex = 0
  while (ITEM.lastIndex < cell.length) {
    const at = ITEM.lastIndex
    const found = ITEM.exec(cell)
    const item = found === null ? cell.slice(at).trim() : (found[1]?.replaceAll('""', '"') ?? found[2]?.trim() ?? '')
    if (item !== '') items.push(item)
    if (found === null) break
  }
  return items
}

/** A number as a cell shows it; '' for none. */
export const numberText = (value: unknown): string => (typeof value === 'number' ? decimalComma(value) : '')
export const booleanText = (value: unknown): string => (value === true ? 'oui' : 'non')
