import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { createSecretBox, keyOf, type SecretBox } from './secret-box.ts'
import { openKeyStore, parseKeys } from './secret-keys.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'narval-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const memoryBox = (key: Buffer = randomBytes(32)): SecretBox => createSecretBox({ keys: [key], save: null })
const sealed = (box: SecretBox, plain: string, bound: string): Promise<string> =>
  box.writing(async seal => seal(plain, bound))
const folderBox = (warned: string[] = []): SecretBox =>
  createSecretBox(openKeyStore({ kind: 'folder' }, folder, why => warned.push(why)))
const keyFile = () => join(folder, 'secrets', 'secret-keys.txt')

describe('S59: the box of secrets', () => {
  it('gives back what was sealed, and never seals the same text twice alike', async () => {
    const box = memoryBox()
    const texts = ['', 'public', 'é'.repeat(300), '\u0000"\\']
    for (const text of texts) {
      const one = await sealed(box, text, 'host:1:snmp')
      expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/)
      expect(box.open(one, 'host:1:snmp')).toBe(text)
      expect(await sealed(box, text, 'host:1:snmp')).not.toBe(one)
    }
  })

  it('does not open what comes from another row, with another key, cut or changed in any character', async () => {
    const box = memoryBox()
    const text = await sealed(box, 'canari', 'host:1:snmp')
    for (const place of ['host:2:snmp', 'host:1:http', 'site:1:snmp', '']) expect(box.open(text, place)).toBeNull()
    expect(memoryBox().open(text, 'host:1:snmp')).toBeNull()
    for (let cut = 0; cut < text.length; cut += 1) expect(box.open(text.slice(0, cut), 'host:1:snmp')).toBeNull()
    // The last character of base64url may hold bits that mean nothing.
    for (let index = 0; index < text.length - 1; index += 1) {
      const other = `${text.slice(0, index)}${text[index] === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`
      expect(box.open(other, 'host:1:snmp'), String(index)).toBeNull()
    }
  })

  it('keeps its keys in a file for its owner only, the same after a restart', async () => {
    const text = await sealed(folderBox(), 'canari', 'x')
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700)
    expect(folderBox().open(text, 'x')).toBe('canari')
  })

  it('a new key is in the file before it seals anything, and opens nothing less than before', async () => {
    const box = folderBox()
    const old = await sealed(box, 'ancien', 'x')
    await box.renewKey()
    const fresh = await sealed(box, 'nouveau', 'x')
    expect(keyOf(fresh)).not.toBe(keyOf(old))
    expect(folderBox().open(fresh, 'x')).toBe('nouveau')
    expect(box.open(old, 'x')).toBe('ancien')
    expect(box.dropKeysBut(new Set([keyOf(old) ?? '']))).toBe(0)
    expect(box.dropKeysBut(new Set())).toBe(1)
    expect(box.open(old, 'x')).toBeNull()
    expect(folderBox().open(old, 'x')).toBeNull()
    expect(readdirSync(join(folder, 'secrets'))).toEqual(['secret-keys.txt'])
  })

  it('a new key that can not be written is not used', async () => {
    const box = createSecretBox({
      keys: [randomBytes(32)],
      save: () => {
        throw new Error('disk full')
      },
    })
    const before = box.currentKey()
    await expect(box.renewKey()).rejects.toThrow('disk full')
    expect(box.currentKey()).toBe(before)
  })

  it('waits, before older keys may go, for the writes that began with them', async () => {
    const box = folderBox()
    const gate = Promise.withResolvers<void>()
    const order: string[] = []
    const slow = box.writing(async seal => {
      const text = seal('lent', 'x')
      await gate.promise
      order.push('written')
      return text
    })
    const failing = box.writing(async () => {
      await gate.promise
      throw new Error('refused')
    })
    const renewed = box.renewKey().then(() => order.push('renewed'))
    gate.resolve()
    await expect(failing).rejects.toThrow('refused')
    await renewed
    expect(order).toEqual(['written', 'renewed'])
    expect(keyOf(await slow)).not.toBe(box.currentKey())
  })

  it.each(['', 'pas une clé', `${randomBytes(16).toString('base64')}\n`])(
    'with a file that holds %j it opens nothing, seals nothing, and leaves the file alone',
    async content => {
      folderBox()
      writeFileSync(keyFile(), content)
      const warned: string[] = []
      const box = folderBox(warned)
      expect(warned).toHaveLength(1)
      expect(box.currentKey()).toBeNull()
      await expect(sealed(box, 'x', 'x')).rejects.toMatchObject({ kind: 'unavailable' })
      await expect(box.renewKey()).rejects.toMatchObject({ kind: 'unavailable' })
      expect(readFileSync(keyFile(), 'utf8')).toBe(content)
    },
  )

  it('keys given from outside: the first seals, the others open; a file that is not there opens nothing', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    const text = await sealed(memoryBox(old), 'canari', 'x')
    const path = join(folder, 'given.txt')
    writeFileSync(path, `${fresh.toString('base64')}\n${old.toString('base64')}\n`)
    const box = createSecretBox(openKeyStore({ kind: 'file', path }, folder, () => undefined))
    expect(box.open(text, 'x')).toBe('canari')
    await box.renewKey()
    expect(box.currentKey()).toBe(memoryBox(fresh).currentKey())
    expect(box.dropKeysBut(new Set())).toBe(0)
    const warned: string[] = []
    const none = openKeyStore({ kind: 'file', path: join(folder, 'none') }, folder, why => warned.push(why))
    expect([none.keys, warned.length]).toEqual([[], 1])
    expect(parseKeys(`${old.toString('base64')}, ${fresh.toString('base64')}`)).toEqual([old, fresh])
    for (const wrong of ['', 'x', old.toString('hex'), randomBytes(31).toString('base64')])
      expect(parseKeys(wrong)).toBeNull()
  })

  it('the environment names where keys are, in one way only, and a wrong one is refused without being repeated', () => {
    const key = randomBytes(32).toString('base64')
    expect(readConfig({}).secretKeys).toEqual({ kind: 'folder' })
    expect(readConfig({ NARVAL_SECRETS_KEY: key }).secretKeys).toEqual({
      kind: 'given',
      keys: [Buffer.from(key, 'base64')],
    })
    expect(readConfig({ NARVAL_SECRETS_KEY_FILE: '/run/cle' }).secretKeys).toEqual({ kind: 'file', path: '/run/cle' })
    expect(() => readConfig({ NARVAL_SECRETS_KEY: key, NARVAL_SECRETS_KEY_FILE: 'x' })).toThrow(/s'excluent/)
    const wrong = key.slice(0, -4)
    expect(() => readConfig({ NARVAL_SECRETS_KEY: wrong })).toThrow(/32 octets/)
    expect(() => readConfig({ NARVAL_SECRETS_KEY: wrong })).not.toThrow(wrong)
  })

  it('a file that may not be read is said, not made again', () => {
    folderBox()
    chmodSync(keyFile(), 0o000)
    const before = statSync(keyFile()).ino
    folderBox([])
    expect(statSync(keyFile()).ino).toBe(before)
  })
})
