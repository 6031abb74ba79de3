import { describe, expect, it } from 'vitest'
import type { Varbind } from './pdu.ts'
import { hasBit, isWanted, matches, shownValue, textOf, uniqueNames } from './values.ts'

const octets = (value: Buffer | string): Varbind => ({ oid: '1.3', type: 'octets', value: Buffer.from(value) })

describe('texts of equipment', () => {
  it('are one line without control characters or marks of direction, in UTF-8 or Latin-1; markup stays text', () => {
    expect(textOf(octets('Salle\r\nserveurs\u0000reste'))).toBe('Salle serveurs')
    expect(textOf(octets(Buffer.from([0x53, 0xe9, 0x63])))).toBe('Séc')
    expect(textOf(octets('abc\u202egpj.exe\u200b'))).toBe('abc gpj.exe')
    expect(textOf(octets('<img src=x onerror=alert(1)>'))).toBe('<img src=x onerror=alert(1)>')
    expect(textOf(octets('\u001b[31mrouge'))).toBe('[31mrouge')
    expect(textOf(octets('x'.repeat(60_000))).length).toBe(1_000)
  })

  it('bytes that are no text are shown in hexadecimal', () => {
    expect(shownValue(octets(Buffer.from([0, 27, 84, 255])))).toBe('00 1b 54 ff')
    expect(shownValue({ oid: '1.3', type: 'absent', value: null })).toBe('(absent)')
  })

  it('bit 0 of a BITS is the first of its first byte', () => {
    const cell = octets(Buffer.from([0b0100_0000, 0b0000_0001]))
    expect([0, 1, 15, 16, 400].map(bit => hasBit(cell, bit))).toEqual([false, true, true, false, false])
  })
})

describe('names', () => {
  it('are never given twice, whatever equipment calls its parts', () => {
    const names = uniqueNames([
      { name: 'port', number: '1' },
      { name: 'port', number: '2' },
      { name: '', number: '3' },
      { name: 'port #2', number: '4' },
      { name: 'x'.repeat(200), number: '5' },
      { name: 'x'.repeat(201), number: '6' },
    ])
    expect(names.slice(0, 4)).toEqual(['port', 'port #2', '#3', 'port #2 #4'])
    expect(new Set(names).size).toBe(6)
    for (const name of names) expect(name.length).toBeLessThan(128)
    // What the wire refuses in one result would cost the whole batch.
    const long = uniqueNames([
      { name: '🦄'.repeat(90), number: '1' },
      { name: '🦄'.repeat(90), number: '4294967295.'.repeat(120) },
      { name: '', number: '4294967295.'.repeat(120) },
    ])
    for (const name of long) {
      expect(name.length).toBeLessThan(128)
      expect(name.isWellFormed()).toBe(true)
    }
  })

  it('match patterns with * and ?, whatever the case', () => {
    expect(matches('gi0/*', 'Gi0/24')).toBe(true)
    expect(matches('*poste*', 'Poste de travail')).toBe(true)
    expect(matches('eth?', 'eth10')).toBe(false)
    expect(matches('(a+)+$', '(a+)+$')).toBe(true)
    expect(isWanted(['Gi0/1', 'Uplink'], ['Gi*'], ['uplink'])).toBe(false)
    expect(isWanted(['Gi0/1'], [], [])).toBe(true)
  })

  it('S41: a pattern of 50 stars against a long name is judged at once', () => {
    const startedMs = performance.now()
    expect(matches(`${'*a'.repeat(50)}b`, 'a'.repeat(1_000))).toBe(false)
    expect(performance.now() - startedMs).toBeLessThan(100)
  })
})
