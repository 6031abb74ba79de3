import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSyslogFraming, FRAME_MAX } from './framing.ts'
import { harmless } from './harmless.ts'
import { parseSyslog } from './syslog-message.ts'

const read = (text: string | Buffer) => parseSyslog(Buffer.from(text))

describe('a syslog message', () => {
  it('of RFC 5424 and of RFC 3164, with what devices make of them, says who wrote what', () => {
    const cases: readonly (readonly [string, object])[] = [
      [
        '<34>1 2003-10-11T22:14:15.003Z host su - ID47 - \uFEFF’su root’ failed',
        { facility: 'auth', level: 2, app: 'su', text: '’su root’ failed' },
      ],
      [
        '<165>1 2003-10-11T22:14:15Z h evntslog - ID47 [a@1 b="c]\\"d"][e] text',
        { facility: 'local4', level: 5, app: 'evntslog', text: 'text' },
      ],
      ['<165>1 - - - - - [a@1 b="c"]', { app: '', text: '[a@1 b="c"]' }],
      [
        '<34>Oct 11 22:14:15 mymachine su[12]: failed on /dev/pts/8',
        { facility: 'auth', level: 2, app: 'su', text: 'failed on /dev/pts/8' },
      ],
      ['<13>Feb  5 17:32:18 10.0.0.99 Use the BFG!', { app: '', text: 'Use the BFG!' }],
      [
        '<189>Jan  1 00:00:12 2026 sw1 %LINK-3-UPDOWN: Interface Gi0/1, down',
        { level: 5, text: '%LINK-3-UPDOWN: Interface Gi0/1, down' },
      ],
      [
        '<30>2026-01-15T08:00:00.123456+01:00 srv systemd[1]: Started',
        { facility: 'daemon', app: 'systemd', text: 'Started' },
      ],
      ['<3>kernel: oops', { facility: 'kern', level: 3, app: 'kernel', text: 'oops' }],
      ['no priority at all', { facility: 'user', level: 5, app: '', text: 'no priority at all' }],
      ['<999>too large', { facility: 'user', level: 5, text: '<999>too large' }],
      ['', { text: '' }],
    ]
    for (const [text, expected] of cases) expect(read(text), text).toMatchObject(expected)
  })

  it('of any bytes is read without fault, into one line of text without control or direction marks', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 400 }),
          fc.string({ unit: 'binary', maxLength: 200 }).map(text => Buffer.from(`<14>1 - - - - - ${text}`)),
        ),
        bytes => {
          const { text, app, level } = read(Buffer.from(bytes))
          expect(`${text}${app}`).not.toMatch(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
          expect(text.length).toBeLessThanOrEqual(2_000)
          expect(level).toBeLessThanOrEqual(7)
        },
      ),
    )
    expect(harmless('a\u001b[31mb\r\nc\u202Ed', 50)).toBe('a [31mb c d')
    expect(harmless('é'.repeat(100), 10)).toHaveLength(10)
  })

  it('of 8 KiB that looks like every form is read in no time', () => {
    const startedMs = performance.now()
    for (const part of ['[a b="', '[', '1 ', 'x', ' ', '<1>', 'a:', '\\"', 'Jan  1 00:00:00 '])
      for (let nth = 0; nth < 20; nth += 1) read(`<14>1 - - - - - ${part.repeat(8_000 / part.length)}`)
    expect(performance.now() - startedMs).toBeLessThan(2_000)
  })
})

describe('a syslog stream', () => {
  const frame = (text: string, isCounted: boolean) => (isCounted ? `${Buffer.byteLength(text)} ${text}` : `${text}\n`)

  it('gives the messages that were put in, however it is cut and whichever way each is framed (RFC 6587)', () => {
    const message = fc.stringMatching(/^<\d{1,3}>[ -~é]{0,60}$/)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(message, fc.boolean()), { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 30 }),
        (messages, cuts) => {
          const bytes = Buffer.from(messages.map(([text, isCounted]) => frame(text, isCounted)).join(''))
          const framing = createSyslogFraming()
          const got: string[] = []
          for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
            const size = cuts[cut % cuts.length] ?? 1
            got.push(...framing.push(bytes.subarray(at, at + size)).map(String))
            at += size
          }
          expect(got).toEqual(messages.map(([text]) => text))
          expect(framing.rest()).toBeNull()
        },
      ),
    )
  })

  it('that never ends, lies about its lengths or trickles holds no more than one frame', () => {
    const framing = createSyslogFraming()
    const endless = Buffer.alloc(64 * 1024, 'x')
    const first = Array.from({ length: 100 }, () => framing.push(endless)).flat()
    expect(first.map(({ length }) => length)).toEqual([FRAME_MAX])
    expect(framing.push(Buffer.from('\n<13>next\n')).map(String)).toEqual(['<13>next'])
    expect(framing.push(Buffer.from(`99999 ${'y'.repeat(20_000)}`)).map(({ length }) => length)).toEqual([FRAME_MAX])
    expect(framing.push(Buffer.from(`${'y'.repeat(79_999)}5 <1>zz`)).map(String)).toEqual(['<1>zz'])
    expect(framing.push(Buffer.from('123456789 not a count\n')).map(String)).toEqual(['123456789 not a count'])
  })
})
