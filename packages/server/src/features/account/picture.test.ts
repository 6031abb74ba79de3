import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { PICTURE_MAX_BYTES, PICTURE_SIDE } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodePng, encodePng } from '../../picture-png.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const chunk = (type: string, data: Buffer, sum?: number): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  return Buffer.concat([uint32(data.length), body, uint32(sum ?? crc32(body))])
}
const header = (width: number, height: number, [depth, colour, interlaced] = [8, 6, 0]): Buffer =>
  chunk(
    'IHDR',
    Buffer.concat([uint32(width), uint32(height), Buffer.from([depth ?? 8, colour ?? 6, 0, 0, interlaced ?? 0])]),
  )
const END = chunk('IEND', Buffer.alloc(0))
const png = (...chunks: Buffer[]): Buffer => Buffer.concat([SIGNATURE, ...chunks])

/** Rows of a picture by chance, each with one of the five filters. */
const lines = (channels: number): Buffer =>
  Buffer.concat(
    Array.from({ length: PICTURE_SIDE }, (_, y) =>
      Buffer.concat([Buffer.from([y % 5]), randomBytes(PICTURE_SIDE * channels).map(byte => byte & 15)]),
    ),
  )
const picture = (channels: 3 | 4, ...more: Buffer[]): Buffer => {
  const data = deflateSync(lines(channels))
  const middle = Math.floor(data.length / 2)
  const parts = [data.subarray(0, middle), data.subarray(middle)].map(part => chunk('IDAT', part))
  return png(header(PICTURE_SIDE, PICTURE_SIDE, [8, channels === 3 ? 2 : 6, 0]), ...more, ...parts, END)
}
const kinds = (file: Buffer): string[] => {
  const found: string[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    found.push(file.toString('latin1', at + 4, at + 8))
  return found
}

it.each([3, 4] as const)(
  'reads what it has written, of %i bytes a pixel: the same pixels, no other chunk',
  async channels => {
    const first = await decodePng(picture(channels), PICTURE_SIDE)
    if (first === null) throw new Error('not read')
    const written = await encodePng(first)
    expect(kinds(written)).toEqual(['IHDR', 'IDAT', 'IEND'])
    const again = await decodePng(written, PICTURE_SIDE)
    expect(again?.rgba.equals(first.rgba)).toBe(true)
  },
)

describe.each(DIALECTS)('S46: own pictures on %s', dialect => {
  let test: TestApp
  let user: Caller
  beforeAll(async () => {
    test = await createTestApp({ dialect })
    user = await test.user([])
  })
  afterAll(() => test.close())

  const send = async (file: Buffer, type = 'application/octet-stream') => {
    const answer = await test.app.http.inject({
      method: 'PUT',
      url: '/api/Account/Picture',
      headers: {
        ...{ authorization: `Bearer ${user.token}`, 'content-type': type },
        ...{ cookie: `XSRF-TOKEN=${user.csrf}`, 'x-xsrf-token': user.csrf },
      },
      payload: file,
    })
    return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) }
  }
  const shown = (name: string) => test.app.http.inject({ method: 'GET', url: `/avatar/${name}` })
  const own = async () => (await user.call('GET', '/api/Account/Get')).body.avatar

  it('is encoded anew and shown without a token, under a name nobody can guess, sandboxed and kept by browsers', async () => {
    const hidden = [
      chunk('tEXt', Buffer.from(`Comment\0${SCRIPT}`)),
      chunk('eXIf', Buffer.from(SCRIPT)),
      chunk('acTL', Buffer.alloc(8)),
    ]
    const sent = await send(picture(4, ...hidden))
    expect(sent.status).toBe(200)
    const { avatar } = sent.body
    expect(avatar).toMatch(/^[0-9a-f]{32}$/)
    expect(await own()).toBe(avatar)
    const answer = await shown(`${avatar}.png`)
    expect([answer.statusCode, answer.headers]).toMatchObject([
      200,
      {
        'content-type': 'image/png',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, max-age=31536000, immutable',
      },
    ])
    expect(kinds(answer.rawPayload)).toEqual(['IHDR', 'IDAT', 'IEND'])
    expect(answer.rawPayload.includes('script')).toBe(false)
    // Another picture has another name; the old one is gone.
    const next = (await send(picture(3))).body.avatar
    expect([(await shown(`${avatar}.png`)).statusCode, (await shown(`${next}.png`)).statusCode]).toEqual([404, 200])
  })

  it('goes when an avatar of the console is chosen, by oneself or by an administrator, and with the account', async () => {
    const { idUser } = (await user.call('GET', '/api/Account/Get')).body
    const count = async () => (await test.database.db.selectFrom('account_picture').select('name').execute()).length
    await send(picture(4))
    await user.call('PUT', '/api/Account/Update', { firstName: 'Zoé' })
    expect(await count()).toBe(1)
    expect((await user.call('PUT', '/api/Account/Update', { avatar: 'phare' })).body.avatar).toBe('phare')
    expect(await count()).toBe(0)
    await send(picture(4))
    const admin = await test.admin()
    expect((await admin.call('PUT', `/api/Account/Update/${idUser}`, { avatar: 'ancre' })).body.avatar).toBe('ancre')
    expect([await count(), await own()]).toEqual([0, 'ancre'])
    // Nobody shows what he has not sent himself.
    expect((await user.call('PUT', '/api/Account/Update', { avatar: 'a'.repeat(32) })).status).toBe(400)
  })

  it('refuses all that is not such a PNG, before it is inflated where its header says so', async () => {
    const whole = picture(4)
    const data = chunk('IDAT', deflateSync(lines(4)))
    const bomb = chunk('IDAT', deflateSync(Buffer.alloc(64 * 1_048_576)))
    const square = header(PICTURE_SIDE, PICTURE_SIDE)
    const refused: Record<string, Buffer> = {
      'SVG with a script': Buffer.from(SCRIPT),
      'HTML behind the picture': Buffer.concat([whole, Buffer.from('<script>alert(1)</script>')]),
      '30,000 × 30,000': png(header(30_000, 30_000), bomb, END),
      'a bomb in a small header': png(square, bomb, END),
      'too few rows': png(square, chunk('IDAT', deflateSync(lines(3))), END),
      'a wrong sum': png(square, chunk('IDAT', deflateSync(lines(4)), 1), END),
      'no end': whole.subarray(0, whole.length - 12),
      'cut in the middle': whole.subarray(0, whole.length / 2),
      'no header': png(data, END),
      'a length beyond the file': png(square, uint32(0xfffffff0), Buffer.from('IDAT'), END),
      'no data': png(square, END),
      'not deflated': png(square, chunk('IDAT', randomBytes(400)), END),
      'a filter that does not exist': png(square, chunk('IDAT', deflateSync(lines(4).fill(7, 0, 1))), END),
      interlaced: png(header(PICTURE_SIDE, PICTURE_SIDE, [8, 6, 1]), data, END),
      'of 16 bits': png(header(PICTURE_SIDE, PICTURE_SIDE, [16, 6, 0]), data, END),
      'with a palette': png(header(PICTURE_SIDE, PICTURE_SIDE, [8, 3, 0]), data, END),
      JPEG: Buffer.from('ffd8ffe000104a4649460001', 'hex'),
      nothing: Buffer.alloc(0),
    }
    const before = process.memoryUsage().arrayBuffers
    for (const [what, file] of Object.entries(refused)) expect([what, (await send(file)).status]).toEqual([what, 400])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1_048_576)
    expect((await send(Buffer.alloc(PICTURE_MAX_BYTES + 1))).status).toBe(413)
    expect((await send(whole, 'image/svg+xml')).status).toBe(415)
    expect(await own()).toBe('ancre')
  })

  it('S40: no other name of that address shows anything', async () => {
    await send(picture(4))
    const name = await own()
    const names = [
      name,
      `${name}.svg`,
      `${name}.png.html`,
      '..%2f..%2fpackage.json',
      '%00.png',
      `${'0'.repeat(32)}.png`,
    ]
    const statuses = await Promise.all(names.map(async one => (await shown(one)).statusCode))
    expect(statuses).toEqual([404, 404, 200, 404, 404, 404])
  })
})
