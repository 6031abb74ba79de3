import { describe, expect, it } from 'vitest'
import { decrypt, encrypt, isAuthentic, isExtended, localizedKey, messageDigest, privacyKey } from './usm-keys.ts'

const engineId = Buffer.from('000000000000000000000002', 'hex')
const password = Buffer.from('maplesyrup')

describe('keys of SNMPv3', () => {
  it('RFC 3414, A.3: the keys of « maplesyrup »', () => {
    expect(localizedKey('MD5', password, engineId).toString('hex')).toBe('526f5eed9fcce26f8964c2930787d82b')
    expect(localizedKey('SHA1', password, engineId).toString('hex')).toBe('6695febc9288e36282235fc7151f128497b38f3f')
  })

  it('draft-reeder-snmpv3-usm-3desede, B.1 and B.2: the keys made longer as Cisco does', () => {
    expect(privacyKey('MD5', 'AES256', password, engineId, 'reeder').toString('hex')).toBe(
      '526f5eed9fcce26f8964c2930787d82b79eff44a90650ee0a3a40abfac5acc12',
    )
    expect(privacyKey('SHA1', 'AES256', password, engineId, 'reeder').toString('hex')).toBe(
      '6695febc9288e36282235fc7151f128497b38f3f9b8b6d78936ba6e7d19dfd9c',
    )
  })

  it('only keys that the hash is too short for are made longer', () => {
    expect([isExtended('SHA1', 'AES192'), isExtended('SHA224', 'AES192'), isExtended('SHA256', 'AES256')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it.each(['DES', 'AES128', 'AES192', 'AES256'] as const)('%s gives back what it hid', priv => {
    const key = privacyKey('SHA512', priv, password, engineId, 'blumenthal')
    const clock = { boots: 3, time: 70_000 }
    const plain = Buffer.from('un texte de longueur quelconque, 45 octets...')
    const { salt, bytes } = encrypt(priv, key, clock, plain)
    expect(bytes.includes(plain)).toBe(false)
    expect(decrypt(priv, key, clock, salt, bytes)?.subarray(0, plain.length)).toEqual(plain)
    expect(decrypt(priv, key, clock, salt.subarray(1), bytes)).toBe(null)
  })

  it('a digest is right for its message only', () => {
    const message = Buffer.alloc(60, 5)
    message.fill(0, 20, 44)
    messageDigest('SHA256', password, message).copy(message, 20)
    expect(isAuthentic('SHA256', password, message, 20)).toBe(true)
    message[50] = 6
    expect(isAuthentic('SHA256', password, message, 20)).toBe(false)
  })
})
