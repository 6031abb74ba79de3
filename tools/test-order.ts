import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Roughly the seconds that the longest files take; those that are not named begin after them, the larger first. */
const SECONDS: Readonly<Record<string, number>> = {
  'e2e/outage.test.ts': 150,
  'e2e/screens.test.ts': 110,
  'e2e/lists.test.ts': 105,
  'e2e/sites.test.ts': 105,
  'e2e/incidents.test.ts': 105,
  'e2e/models.test.ts': 100,
  'e2e/crash.test.ts': 98,
  'e2e/discovery.test.ts': 97,
  'e2e/custom-fields.test.ts': 90,
  'e2e/maintenance.test.ts': 89,
  'e2e/lists-bulk.test.ts': 87,
  'e2e/acting.test.ts': 87,
  'e2e/hostile-text.test.ts': 86,
  'e2e/console.test.ts': 79,
  'e2e/session-renewal.test.ts': 75,
  'e2e/browser-security.test.ts': 61,
  'e2e/shell-bars.test.ts': 26,
  'e2e/shell.test.ts': 34,
  'e2e/storm.test.ts': 50,
  'e2e/scanners.test.ts': 49,
  'e2e/at-ease.test.ts': 48,
  'e2e/session.test.ts': 45,
  'e2e/my-account.test.ts': 38,
  'e2e/status.test.ts': 37,
  'e2e/services.test.ts': 30,
  'e2e/sign-in.test.ts': 45,
  'packages/server/src/told-kill.integration.test.ts': 115,
  'packages/probe/src/main.integration.test.ts': 121,
  'packages/server/src/monitoring/probe/probe-group.integration.test.ts': 79,
  'packages/server/src/samples/embedded.integration.test.ts': 38,
  'packages/probe/src/line.integration.test.ts': 33,
  'packages/probe/src/discovery/discovery.integration.test.ts': 31,
  'packages/probe/src/checks/sql.integration.test.ts': 26,
  'packages/probe/src/delivery.integration.test.ts': 23,
  'packages/server/src/monitoring/probe/failover.test.ts': 40,
  'packages/server/src/monitoring/dependency.test.ts': 32,
  'packages/server/src/monitoring/notifier/notifier.test.ts': 23,
  'packages/server/src/monitoring/delivery-order.test.ts': 23,
  'packages/server/src/features/incident/acknowledgement.test.ts': 22,
  'packages/server/src/monitoring/probe/second-opinion.test.ts': 22,
  'packages/server/src/monitoring/monitoring.test.ts': 20,
  'packages/server/src/features/probe/probe-trust.test.ts': 20,
}
const secondsOf = ({ moduleId, project }: TestSpecification): number =>
  SECONDS[moduleId.slice(project.config.root.length + 1)] ?? 0
const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder

/** The longest files first: the end of a run is not one of them alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || secondsOf(b) - secondsOf(a))
  }
}
