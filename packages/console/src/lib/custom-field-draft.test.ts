import { type RecordField, recordField } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import {
  draftBody,
  isStale,
  keepMine,
  NO_DRAFTS,
  readFieldProblem,
  takeServer,
  withDraft,
  withoutOwnValue,
} from './custom-field-draft.ts'

const T1 = '2026-11-20T08:00:00.000Z'
const T2 = '2026-11-20T09:00:00.000Z'
const field = (key: string, change: Partial<RecordField> = {}): RecordField =>
  recordField.parse({
    definition: {
      id: 1,
      createdAt: T1,
      updatedAt: T1,
      updatedBy: null,
      key,
      label: key,
      type: 'text',
      groupId: 1,
      scope: 'host',
      position: 0,
      groupName: 'g',
      values: 1,
    },
    level: 'write',
    value: 'a',
    origin: 'own',
    originName: '',
    text: 'a',
    updatedAt: T1,
    updatedBy: 'jeanne',
    ...change,
  })

describe('what is typed in the fields of a record', () => {
  it('is sent alone, with the newest instant that it is based on', () => {
    const drafts = withDraft(withDraft(NO_DRAFTS, field('x'), 'b'), field('y', { updatedAt: T2 }), 'c')
    expect(draftBody(drafts)).toEqual({ values: { x: 'b', y: 'c' }, basedOn: T2 })
  })
  it('is based on nothing where there was no value', () => {
    const none = field('x', { value: null, origin: 'none', updatedAt: null })
    expect(draftBody(withDraft(NO_DRAFTS, none, 'b'))).toEqual({ values: { x: 'b' }, basedOn: null })
  })
  it('is no change once it is typed back as it was', () => {
    expect(withDraft(withDraft(NO_DRAFTS, field('x'), 'b'), field('x'), 'a').size).toBe(0)
  })
  it('takes the own value away when it is emptied, and when the inherited one is asked back', () => {
    expect(draftBody(withDraft(NO_DRAFTS, field('x'), '')).values).toEqual({ x: null })
    expect(draftBody(withoutOwnValue(NO_DRAFTS, field('x'))).values).toEqual({ x: null })
  })
  it('of an inherited value is simply forgotten when the inherited one is asked back', () => {
    const inherited = field('x', { origin: 'default' })
    expect(withoutOwnValue(withDraft(NO_DRAFTS, inherited, 'b'), inherited).size).toBe(0)
  })
})

describe('a field changed by somebody else meanwhile', () => {
  const drafts = withDraft(NO_DRAFTS, field('x'), 'b')
  const newer = field('x', { value: 'z', text: 'z', updatedAt: T2 })
  it('is told, until one of both values is chosen', () => {
    expect(isStale(drafts, field('x'))).toBe(false)
    expect(isStale(drafts, newer)).toBe(true)
    expect(isStale(keepMine(drafts, newer), newer)).toBe(false)
    expect(draftBody(keepMine(drafts, newer))).toEqual({ values: { x: 'b' }, basedOn: T2 })
    expect(takeServer(drafts, newer).size).toBe(0)
  })
  it('stays told while one goes on typing', () => {
    expect(isStale(withDraft(drafts, newer, 'bc'), newer)).toBe(true)
  })
})

it('a refusal stands beside its field; what has no field is said above', () => {
  const problem = {
    type: 'about:blank',
    title: 'Demande incorrecte',
    status: 400,
    detail: '',
    errors: ['Champ requis', 'Autre'],
    fields: { 'values.x': 'Champ requis', other: 'Autre' },
  }
  const read = readFieldProblem(problem, new Set(['x']))
  expect([...read.fields]).toEqual([['x', 'Champ requis']])
  expect(read.general).toBe('Autre')
})
