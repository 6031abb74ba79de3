import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/test-order.ts'

/** Integration tests that hold the product to its time limits. */
const LIMITS = [
  'packages/probe/src/{checks,diagnostics,snmp}/**/*.integration.test.ts',
  'packages/server/src/hub/lifetime.integration.test.ts',
  'packages/server/src/features/notification-channel/email.integration.test.ts',
]

/**
 * `unit`: seconds, no network beyond loopback. `integration`: real stores, processes and sockets; `limits`: some of them,
 * with nothing beside. `e2e`: the product in Chromium. `alone`: what measures waiting, after all others. Left alone, vitest
 * keeps a core free: on a machine of two all files would wait for one another.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/{src,guide,tools}/**/*.test.ts', 'packages/*/src/**/*.test.tsx', 'tools/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts', '**/node_modules/**'],
          // Real stores and whole applications: on a busy machine what takes a second may take many.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: '100%',
          // Nothing replaces a module or keeps what it changes: to load a hundred applications anew would take longer than to test them.
          isolate: false,
          globalSetup: ['packages/server/src/testing/drop-schemas.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'limits',
          // They wait more than they work: what ends by its limit does so in time only where nothing else takes the processors.
          include: LIMITS,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          maxWorkers: 4,
          // As above.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['packages/*/src/**/*.integration.test.ts'],
          exclude: [...LIMITS, '**/node_modules/**'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          // Beside the browser tests, which last longer.
          maxWorkers: 1,
          // As above: each of fifty files would load the server or the probe anew.
          isolate: false,
          globalSetup: ['packages/server/src/testing/drop-schemas.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // What a page shows comes when it comes: on a busy machine the second that is left otherwise is soon over.
          expect: { poll: { timeout: 10_000 } },
          // Each file has a server, a browser and a folder of its own: two keep two processors busy, three are no faster.
          maxWorkers: 2,
          // The kit keeps nothing from one file to the next; to load it forty times is half a minute of two processors.
          isolate: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'alone',
          // Bounds on how long the server lets others wait: measured with nothing else on the machine.
          include: ['e2e/alone/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
