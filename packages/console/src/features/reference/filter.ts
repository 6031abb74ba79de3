import { CLAIM_TEXTS, CLAIMS, fold } from '@narval/contracts'
import type { Operation, Section } from './document.ts'

/** Accents, case and the two apostrophes are the same to who searches. */
const folded = (text: string): string => fold(text).replaceAll('’', "'")

const labelOf = (name: string | null): string => {
  const claim = CLAIMS.find(one => one === name)
  return claim === undefined ? '' : CLAIM_TEXTS[claim].label
}

const textOf = (operation: Operation, section: Section): string =>
  folded(
    [
      operation.method,
      operation.path,
      operation.summary,
      operation.claim ?? operation.accessKind,
      labelOf(operation.claim),
      operation.id,
      section.description,
    ].join(' '),
  )

/** The operations that hold every word of a search, in their sections; sections left empty are left out. */
export const filterSections = (sections: readonly Section[], search: string): readonly Section[] => {
  const words = folded(search).split(' ').filter(Boolean)
  if (words.length === 0) return sections
  return sections
    .map(section => ({
      ...section,
      operations: section.operations.filter(operation => {
        const text = textOf(operation, section)
        return words.every(word => text.includes(word))
      }),
    }))
    .filter(section => section.operations.length > 0)
}

export const countOperations = (sections: readonly Section[]): number =>
  sections.reduce((sum, section) => sum + section.operations.length, 0)
