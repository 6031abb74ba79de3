import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckCredential } from '@narval/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Identity, identityFile, loadIdentity } from './identity.ts'
import { sealFor } from './testing/seal.ts'
import { unseal } from './unseal.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'narval-seal-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const login: CheckCredential = { kind: 'http', username: 'narval', password: 'mot de passe' }
const unreadable = { kind: 'none', reason: 'unreadable' }
const enrolledAs = (probe: number): Identity => ({ ...loadIdentity(folder), enrolled: { probe, serverKey: '' } })

describe('S59: credentials sealed for a probe', () => {
  it('open for it, also after it started again', () => {
    const sealed = sealFor(login, enrolledAs(7).sealing.publicKey, 7)
    expect(JSON.stringify(sealed)).not.toContain('mot de passe')
    expect(unseal(sealed, enrolledAs(7))).toEqual(login)
  })

  it('open neither for another probe, nor under another number, nor when a single bit was changed', () => {
    const mine = enrolledAs(7)
    const sealed = sealFor(login, mine.sealing.publicKey, 7)
    expect(unseal(sealed, { ...mine, enrolled: { probe: 8, serverKey: '' } })).toEqual(unreadable)
    const other = mkdtempSync(join(tmpdir(), 'narval-seal-'))
    expect(unseal(sealed, { ...loadIdentity(other), enrolled: { probe: 7, serverKey: '' } })).toEqual(unreadable)
    rmSync(other, { recursive: true })
    if (sealed.kind !== 'sealed') throw new Error('not sealed')
    for (const place of [70, sealed.box.length - 3]) {
      const box = `${sealed.box.slice(0, place)}${sealed.box[place] === 'A' ? 'B' : 'A'}${sealed.box.slice(place + 1)}`
      expect(unseal({ kind: 'sealed', box }, mine)).toEqual(unreadable)
    }
    for (const box of ['', '.', '..', 'a.b.c', 'x'.repeat(19_000)])
      expect(unseal({ kind: 'sealed', box }, mine)).toEqual(unreadable)
  })

  it('a probe enrolled before there were seals gets its key, once, and keeps who it is', () => {
    const before = loadIdentity(folder)
    const stored: Record<string, unknown> = JSON.parse(readFileSync(identityFile(folder), 'utf8'))
    delete stored.sealKey
    writeFileSync(identityFile(folder), JSON.stringify(stored))
    const after = loadIdentity(folder)
    expect(after.publicKey).toBe(before.publicKey)
    expect(after.sealing.publicKey).not.toBe(before.sealing.publicKey)
    expect(loadIdentity(folder).sealing.publicKey).toBe(after.sealing.publicKey)
  })
})
