import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_WEBHOOK_BODY, fillTemplate, templateFault, WEBHOOK_PLACEHOLDERS } from './message-template.ts'

const TEMPLATE = '{"a": "{{subject}}", "b": {"c": ["x {{subject}} y", 3, null]}, "d": "{{incidents}}"}'

describe('the template of a webhook', () => {
  it('gives the value its type where it stands alone, and text within a text', () => {
    expect(fillTemplate(TEMPLATE, { subject: 'objet', incidents: [{ id: 1 }] })).toEqual({
      ...{ a: 'objet', b: { c: ['x objet y', 3, null] }, d: [{ id: 1 }] },
    })
  })

  it('keeps its structure whatever is filled in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), subject => {
        const sent = JSON.parse(JSON.stringify(fillTemplate(TEMPLATE, { subject, incidents: [] })))
        expect(Object.keys(sent)).toEqual(['a', 'b', 'd'])
        expect([sent.a, sent.b.c.length]).toEqual([subject, 3])
      }),
    )
  })

  it('knows its placeholders and nothing else: what every object has is not among them (S45)', () => {
    expect(templateFault(DEFAULT_WEBHOOK_BODY)).toBe(null)
    const all = JSON.stringify(Object.keys(WEBHOOK_PLACEHOLDERS).map(name => `{{${name}}}`))
    expect(templateFault(all)).toBe(null)
    for (const name of ['constructor', '__proto__', 'toString', 'a.b', 'a()', '']) {
      expect(templateFault(JSON.stringify(`{{${name}}}`))).toContain('Repère inconnu')
      expect(fillTemplate(JSON.stringify(`<{{${name}}}>`), {})).toBe('<>')
    }
    expect(templateFault('{{subject}}')).toContain('entre guillemets')
  })
})
