import { opinionRoutes, scannerRoutes } from '@narval/contracts'
import { exported } from '../../http/exported.ts'
import { type Mounted, on } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { OpinionService } from './opinion.service.ts'
import type { ScannerService } from './scanner.service.ts'
import type { ScannerBulk } from './scanner-bulk.ts'
import { SCANNER_EXPORT, type ScannerExport } from './scanner-export.ts'
import type { ScannerLearn } from './scanner-learn.ts'
import type { ScannerPings } from './scanner-ping.ts'
import type { ScannerTester } from './scanner-test.ts'

interface ScannerWork {
  readonly scanners: ScannerService
  readonly bulk: ScannerBulk
  readonly everything: ScannerExport
  readonly test: ScannerTester
  readonly learn: ScannerLearn
  readonly pings: ScannerPings
}

export const opinionHandlers = (opinions: OpinionService): Mounted[] => [
  on(opinionRoutes.ofHost, ({ query }, viewer) => opinions.ofHost(viewer, query.id)),
  on(opinionRoutes.ask, ({ body }, viewer) => opinions.ask(viewer, body.scannerId, body.probeId)),
]

export const scannerHandlers = ({ scanners, bulk, everything, test, learn, pings }: ScannerWork): Mounted[] => [
  on(scannerRoutes.bulk, ({ body }, viewer) => bulk(viewer, body)),
  on(scannerRoutes.list, ({ query }, viewer) => scanners.list(viewer, query.host)),
  on(scannerRoutes.get, ({ params }, viewer) => scanners.get(viewer, params.id)),
  on(scannerRoutes.lastUpdate, () => scanners.lastUpdate()),
  on(scannerRoutes.metrics, ({ query }, viewer) => scanners.metrics(viewer, query.id)),
  on(scannerRoutes.runs, ({ query }, viewer) => scanners.runs(viewer, query.id)),
  on(scannerRoutes.test, ({ body, signal }, viewer) => test(viewer, body, signal)),
  on(scannerRoutes.check, ({ params }, viewer) => scanners.check(viewer, params.id)),
  on(scannerRoutes.learn, ({ params, body }, viewer) => learn(viewer, params.id, body.plan)),
  on(scannerRoutes.create, ({ body }, viewer) => scanners.create(viewer, body)),
  on(scannerRoutes.update, ({ params, body }, viewer) => scanners.update(viewer, params.id, body)),
  on(scannerRoutes.delete, ({ params }, viewer) => scanners.delete(viewer, params.id)),
  on(scannerRoutes.datatable.get, (_, viewer) => scanners.datatable(viewer, FIRST_PAGE)),
  on(scannerRoutes.datatable.put, async ({ body, format }, viewer) =>
    format === null
      ? scanners.datatable(viewer, body)
      : exported(format, { name: 'scanners', columns: SCANNER_EXPORT, slices: await everything(viewer, body) }),
  ),
  on(scannerRoutes.pingDatatable.get, (_, viewer) => pings(viewer, FIRST_PAGE)),
  on(scannerRoutes.pingDatatable.put, ({ body }, viewer) => pings(viewer, body)),
]
