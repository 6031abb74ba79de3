import { AsyncLocalStorage } from 'node:async_hooks'

const sources = new AsyncLocalStorage<string>()

/** Answers a call: whatever it writes into the log says that it came from this address. */
export const fromSource = <T>(address: string, answer: () => T): T => sources.run(address, answer)

/** Address of the call that is being answered; empty for what Narval does by itself. */
export const currentSource = (): string => sources.getStore() ?? ''
