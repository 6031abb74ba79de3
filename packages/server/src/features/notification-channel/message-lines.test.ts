import { type MessageSurroundings, type NotificationMessage, templateValues } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { type ChartData, chartSvg } from './chart-svg.ts'
import { mailHtml } from './mail-html.ts'
import { COLOURS, plainLines, standingOf } from './message-lines.ts'

const around: MessageSurroundings = {
  ...{ key: 'k', reason: 'Pourquoi vous\u202f: règle «\u202fX\u202f», étape 1.', ruleName: 'X' },
  ...{ recipient: null, base: null },
}
const messageOf = (until: string | null, timeZone?: string): NotificationMessage => ({
  ...{ kind: 'news', subject: 's', severity: 'error', at: '2026-01-14T03:00:00.000Z', link: '/', text: [] },
  incidents: [
    {
      ...{ id: 1, title: 'srv', severity: 'error', since: '2026-01-14T02:00:00.000Z', until, information: 'délai' },
      ...{ siteName: null, hostName: null, instruction: '', metricId: null, link: '/', chain: [] },
    },
  ],
  ...(timeZone === undefined ? {} : { timeZone }),
})

describe('the lines of a message', () => {
  it('say of an incident that came back since when it fails, how often it came back and when it began, in every form', () => {
    const message = messageOf(null)
    const back = { reopened: 2, openedAt: '2026-01-13T20:30:00.000Z' }
    const told = { ...message, incidents: message.incidents.map(one => ({ ...one, ...back })) }
    const lines = plainLines(told, around)
    expect(lines).toContain('Depuis\u202f: 14 janvier 2026 à 03:00')
    expect(lines).toContain('Rouvert\u202f: 2 fois, ouvert d’abord le 13 janvier 2026 à 21:30')
    expect(mailHtml(told, around, { product: 'Narval', picture: null })).toContain(
      '2 fois, ouvert d’abord le 13 janvier',
    )
    expect(plainLines(message, around).join()).not.toContain('Rouvert')
    expect(templateValues(told, around)).toMatchObject({ ...back, since: '2026-01-14T02:00:00.000Z' })
    expect(templateValues(message, around)).toMatchObject({ reopened: 0, openedAt: '2026-01-14T02:00:00.000Z' })
  })

  it('tell times by the clock of the message, and by that of Paris when it names none', () => {
    expect(plainLines(messageOf(null), around).join()).toContain('03:00')
    expect(plainLines(messageOf(null, 'Indian/Reunion'), around).join()).toContain('06:00')
    const chart: ChartData = {
      ...{
        title: 't',
        unit: 'ms',
        fromMs: Date.parse('2026-01-14T02:00Z'),
        toMs: Date.parse('2026-01-14T05:00Z'),
      },
      thresholds: {
        ...{ warningHigh: null, warningHighClear: null, warningLow: null, warningLowClear: null },
        ...{ errorHigh: null, errorHighClear: null, errorLow: null, errorLowClear: null },
      },
      ...{ atMs: [Date.parse('2026-01-14T03:00Z')], value: [1], gapMs: 1, timeZone: 'Indian/Reunion' },
    }
    expect(chartSvg(chart)).toContain('>09:00<')
    expect(chartSvg(chart)).not.toContain('>05:30<')
  })

  it('show what ended as over, and its failure as past', () => {
    const message = messageOf('2026-01-14T02:30:00.000Z')
    expect(plainLines(message, around)).toEqual(
      expect.arrayContaining(['Rétabli — srv', 'Le problème était\u202f: délai']),
    )
    expect(message.incidents.map(one => COLOURS[standingOf(one).severity])).toEqual([COLOURS.ok])
  })

  it('say the rule once in the footer of a mail', () => {
    const html = mailHtml(messageOf(null), around, { product: 'Narval', picture: null })
    expect(html).toContain('Pourquoi vous')
    expect(html).not.toContain('Règle\u202f: X')
  })
})
