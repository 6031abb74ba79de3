import type { HostCause } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { causeOf, isExplained } from './explained.ts'

const CAUSES: readonly HostCause[] = [
  { cause: 'probe-offline', incidentId: 7, title: 'Sonde Lyon hors ligne', scannerIds: [1, 2] },
  { cause: 'probe-offline', incidentId: 8, title: 'Sonde Paris hors ligne', scannerIds: [3] },
]

describe('the incident that explains a metric', () => {
  it('is that of its own scanner’s probe, and none where the cause is another', () => {
    expect(causeOf(CAUSES, { cause: 'probe-offline', scannerId: 3 })?.incidentId).toBe(8)
    expect(causeOf(CAUSES, { cause: 'host-unreachable', scannerId: 3 })).toBeNull()
    expect(causeOf(CAUSES, { cause: 'probe-offline', scannerId: 4 })).toBeNull()
  })
  it('is looked for where something else may be the cause', () => {
    expect([
      isExplained({ cause: 'probe-link' }),
      isExplained({ cause: 'no-data' }),
      isExplained({ cause: null }),
    ]).toEqual([true, false, false])
  })
})
