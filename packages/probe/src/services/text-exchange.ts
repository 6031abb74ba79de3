import type { Socket } from 'node:net'
import { createReader } from './reader.ts'
import type { ServiceRun } from './service-run.ts'

/** All that a service of mail may say in one run. */
const MAX_BYTES = 256 * 1_024

/** A talk by lines with a service: what is said is noted for tests, over the connection or the TLS that follows it. */
export interface TextExchange {
  readonly line: () => Promise<string>
  /** Sends a line; `shown` stands for it where it holds a secret. */
  readonly say: (line: string, shown?: string) => void
  /** Goes on over TLS. */
  readonly secure: (verify: boolean) => Promise<void>
}

export const createTextExchange = (run: ServiceRun, socket: Socket): TextExchange => {
  let current = socket
  let reader = createReader(run, socket, MAX_BYTES)
  return {
    line: async () => {
      const line = await reader.line()
      run.note(`← ${run.spoken(line)}`)
      return line
    },
    say: (line, shown = line) => {
      run.note(`→ ${shown}`)
      current.write(`${line}\r\n`)
    },
    secure: async verify => {
      reader.release()
      current = await run.secure(current, verify)
      reader = createReader(run, current, MAX_BYTES)
    },
  }
}
