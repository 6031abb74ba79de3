import { startResponders } from './responders.ts'

// A process of its own, so that what it spends is not the server's; it ends with its parent, however that ends.
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
process.on('SIGINT', () => undefined)
startResponders().then(
  () => process.send?.('ready'),
  (error: unknown) => {
    process.send?.(error instanceof Error ? error.message : String(error))
    process.exit(1)
  },
)
