import { describe, expect, it } from 'vitest'
import { createRedactor, spoken } from './redaction.ts'

const SECRET = 'canari é+/=7'

describe('what is shown of a talk with a service', () => {
  it('bears no secret, in none of the forms that protocols write it in', () => {
    const { hide, clean } = createRedactor()
    hide(SECRET)
    const bytes = Buffer.from(SECRET)
    const forms = [SECRET, ...(['base64', 'base64url', 'hex'] as const).map(form => bytes.toString(form))]
    for (const form of forms) expect(clean(`550 ${form} refusé ${form}`)).toBe('550 •••• refusé ••••')
  })

  it('hides the longest first: a secret within another leaves no piece of it', () => {
    const { hide, clean } = createRedactor()
    hide('abc')
    hide('abcdef')
    expect(clean('<abcdef> <abc>')).toBe('<••••> <••••>')
    hide('')
    expect(clean('rien')).toBe('rien')
  })

  it('is one line without signs that steer a terminal or a direction, cut to 300 characters', () => {
    expect(spoken('a\r\n\u001b[31mb\u202ec\u2028d\ufffd')).toBe('a [31mb c d')
    expect(spoken('x'.repeat(5_000))).toHaveLength(300)
  })
})
