import { connect, type Socket } from 'node:net'
import { type CheckOutcome, connectionFailure, detail, failed } from '../failure.ts'
import { fr } from '../fr.ts'
import { peerRefusal } from '../vetting.ts'
import { type CheckContext, checkRunner } from './check.ts'

/** Bytes of a banner that are looked at. */
const BANNER_MAX = 4_096

/** Opens a TCP connection, and reads the service's first words when a text is expected there. */
export const tcp = checkRunner('tcp', async (check, parameters, context) => {
  const started = context.nowMs()
  const target = { loopback: check.loopback, port: parameters.port }
  const resolved = await context.resolver.resolve(check.address, target, check.timeoutMs)
  if (resolved.failure !== null) return { values: {}, failure: resolved.failure }
  return attempt(
    {
      address: resolved.address,
      port: parameters.port,
      banner: parameters.banner,
      loopback: check.loopback,
      timeoutMs: check.timeoutMs,
      leftMs: Math.max(1, check.timeoutMs - (context.nowMs() - started)),
    },
    context,
  )
})

interface Attempt {
  readonly address: string
  readonly port: number
  readonly banner: string
  readonly loopback: boolean
  readonly timeoutMs: number
  readonly leftMs: number
}

const attempt = (plan: Attempt, context: CheckContext): Promise<CheckOutcome> =>
  new Promise(resolve => {
    const startedMs = context.nowMs()
    const socket = connect({ host: plan.address, port: plan.port, noDelay: true })
    const values: Record<string, number> = {}
    let ended = false
    const end = (outcome: CheckOutcome): void => {
      if (ended) return
      ended = true
      clearTimeout(deadline)
      forget()
      socket.destroy()
      resolve(outcome)
    }
    const forget = context.onStop(() => end(failed('internal', fr.stopped)))
    const deadline = setTimeout(() => {
      const connected = values.connect_time !== undefined
      const words = connected ? fr.tcp.noBanner(plan.banner, plan.timeoutMs) : fr.timeout(plan.timeoutMs)
      end({ values, failure: { code: connected ? 'mismatch' : 'timeout', message: words } })
    }, plan.leftMs)
    socket.on('error', error => {
      end({ values, failure: connectionFailure(error, `${plan.address}, port ${plan.port}`, plan.timeoutMs) })
    })
    socket.once('connect', () => {
      values.connect_time = Math.round((context.nowMs() - startedMs) * 1_000) / 1_000
      // The address that is really connected is vetted too (S48).
      const refused = peerRefusal(context.vetting, socket, plan)
      if (refused !== null) end({ values: {}, failure: refused })
      else if (plan.banner === '') end({ values, failure: null })
      else
        readBanner(socket, plan.banner, (failure, text) =>
          end({ values, failure, details: () => [detail('Texte d’accueil', text)] }),
        )
    })
  })

/** Calls back with null once the expected text was read, else with a failure; in any case with what was read. */
const readBanner = (
  socket: Socket,
  expected: string,
  done: (failure: CheckOutcome['failure'], text: string) => void,
): void => {
  let text = ''
  const mismatch = () => done({ code: 'mismatch', message: fr.tcp.banner(expected) }, text)
  socket.setEncoding('utf8')
  socket.on('data', chunk => {
    text += String(chunk)
    if (text.includes(expected)) done(null, text)
    else if (text.length >= BANNER_MAX) mismatch()
  })
  socket.once('end', mismatch)
}
