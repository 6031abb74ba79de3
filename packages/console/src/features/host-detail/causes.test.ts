import { NO_THRESHOLDS } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { explain, type Fact } from './causes.ts'

const host = {
  effectiveProbe: { id: 1, name: 'Sonde locale', origin: 'platform' as const, originName: '', originId: null },
  standIn: null,
}
const metric = (over: Partial<Fact>): Fact => ({
  id: 1,
  key: 'connect_time',
  name: 'Temps de connexion',
  unit: 'ms',
  states: null,
  type: 'gauge',
  thresholds: { ...NO_THRESHOLDS, errorHigh: 100 },
  attempts: null,
  noData: 'unknown',
  enabled: true,
  value: 150,
  at: null,
  severity: 'error',
  kind: 'hard',
  attempt: 3,
  maxAttempts: 3,
  flapping: null,
  cause: null,
  since: '2026-11-20T08:00:00Z',
  information: '',
  inMaintenance: false,
  maintenance: null,
  hostId: 1,
  hostName: 'srv',
  siteId: 1,
  siteName: 'Lyon',
  scannerId: 1,
  scannerName: 'SSH',
  createdAt: '2026-11-20T08:00:00Z',
  updatedAt: '2026-11-20T08:00:00Z',
  updatedBy: null,
  ...over,
})

describe('« Pourquoi est-ce rouge ? »', () => {
  it('names the value beyond its threshold, after what answers', () => {
    const links = explain(host, [metric({}), metric({ id: 2, key: 'availability', severity: 'ok', value: 1 })])
    expect(links.map(link => link.text)).toEqual([
      'Sonde locale envoie ses résultats',
      'SSH répond',
      'Temps de connexion\u202f: 150\u202fms > 100\u202fms',
    ])
  })
  it('a silent probe explains everything else', () => {
    expect(explain(host, [metric({ severity: 'unknown', cause: 'probe-offline' })]).map(link => link.text)).toEqual([
      'Sonde locale est hors ligne',
    ])
  })
  it('a silent probe is that of the scanner, which may have one of its own', () => {
    const silent = metric({ severity: 'unknown', cause: 'probe-offline', scannerId: 7 })
    expect(explain(host, [silent], new Map([[7, 'Sonde brest']])).map(link => link.text)).toEqual([
      'Sonde brest est hors ligne',
    ])
  })
  it('a probe that stands in for another is named with it', () => {
    const standIn = { id: 2, name: 'Bravo', since: '2026-11-20T08:00:00Z' }
    const [first] = explain({ ...host, standIn }, [metric({})])
    expect(first?.text).toBe('Bravo contrôle à la place de Sonde locale')
  })
  it('a link at fault is said once, whatever it leaves unknown', () => {
    const unknown = { severity: 'unknown', cause: 'probe-link', information: 'Liaison de la sonde en cause' } as const
    const links = explain(host, [metric({ ...unknown, key: 'availability' }), metric({ ...unknown, id: 2 })])
    expect(links.map(link => link.text)).toEqual([
      'Sonde locale envoie ses résultats',
      'Sonde locale ne l’atteint plus, une autre sonde oui\u202f: sa liaison est en cause',
    ])
  })
  it('what a failed scanner leaves unknown is not repeated beside its failure', () => {
    const links = explain(host, [
      metric({ key: 'availability', value: 0, information: 'délai dépassé après 2 s' }),
      metric({ id: 2, severity: 'unknown', cause: 'scanner-failed' }),
    ])
    expect(links.slice(1).map(link => link.text)).toEqual(['SSH\u202f: délai dépassé après 2 s'])
  })
  it('says nothing when nothing is bad', () => {
    expect(explain(host, [metric({ severity: 'ok' })])).toEqual([])
  })
})
