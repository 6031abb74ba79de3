import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { isIP } from 'node:net'
import { type CheckOutcome, connectionFailure, detail, failed, failure } from '../failure.ts'
import { fr, instantText } from '../fr.ts'
import { type CheckContext, checkRunner } from './check.ts'

/** Seconds from 1900 to 1970, the two epochs. */
const NTP_EPOCH_S = 2_208_988_800
const PACKET_BYTES = 48

/** What a time server answers (RFC 5905); times in ms, instants in epoch ms. */
export interface NtpAnswer {
  readonly leap: number
  readonly stratum: number
  /** Four letters: the reference, or why it sends us away (stratum 0). */
  readonly reference: string
  readonly rootDelayMs: number
  readonly rootDispersionMs: number
  readonly receivedMs: number
  readonly sentMs: number
}

/** Asks a time server once: how far its clock is from the probe's, and whether it trusts its own. */
export const ntp = checkRunner('ntp', async (check, parameters, context) => {
  const startedMs = context.nowMs()
  const target = { loopback: check.loopback, port: parameters.port }
  const resolved = await context.resolver.resolve(check.address, target, check.timeoutMs)
  if (resolved.failure !== null) return { values: {}, failure: resolved.failure }
  const leftMs = Math.max(1, check.timeoutMs - (context.nowMs() - startedMs))
  const plan = { address: resolved.address, port: parameters.port, leftMs, timeoutMs: check.timeoutMs }
  return exchange(plan, context, (answer, sentMs, arrivedMs) => judge(answer, sentMs, arrivedMs, parameters.maxStratum))
})

interface Plan {
  readonly address: string
  readonly port: number
  readonly leftMs: number
  readonly timeoutMs: number
}

const exchange = (
  plan: Plan,
  { onStop, nowMs }: CheckContext,
  done: (answer: NtpAnswer, sentMs: number, arrivedMs: number) => CheckOutcome,
): Promise<CheckOutcome> =>
  new Promise(resolve => {
    const socket: Socket = createSocket(isIP(plan.address) === 6 ? 'udp6' : 'udp4')
    // Random, given back by the server: an answer without it is nobody's. It tells nothing of the probe's clock.
    const cookie = randomBytes(8)
    let ended = false
    const end = (outcome: CheckOutcome): void => {
      if (ended) return
      ended = true
      clearTimeout(deadline)
      forget()
      socket.close()
      resolve(outcome)
    }
    const fail = (error: unknown): void =>
      end({ values: {}, failure: connectionFailure(error, `${plan.address}, port ${plan.port}`, plan.timeoutMs) })
    const forget = onStop(() => end(failed('internal', fr.stopped)))
    const deadline = setTimeout(() => end(failed('timeout', words.silent)), plan.leftMs)
    let [sentWallMs, sentMs] = [0, 0]
    socket.on('error', fail)
    socket.on('message', packet => {
      const arrivedMs = sentWallMs + (nowMs() - sentMs)
      const answer = readAnswer(packet, cookie)
      if (answer !== null) end(done(answer, sentWallMs, arrivedMs))
    })
    // Connected: the system drops what comes from elsewhere, and tells when nobody listens.
    socket.connect(plan.port, plan.address, () => {
      ;[sentWallMs, sentMs] = [Date.now(), nowMs()]
      socket.send(question(cookie), error => {
        if (error) fail(error)
      })
    })
  })

/** Version 4, client mode, with our cookie for a transmit time. */
const question = (cookie: Buffer): Buffer => {
  const packet = Buffer.alloc(PACKET_BYTES)
  packet[0] = 0b00_100_011
  cookie.copy(packet, 40)
  return packet
}

/** Reads a server's answer to this cookie; null when it is none. */
export const readAnswer = (packet: Buffer, cookie: Buffer): NtpAnswer | null => {
  if (packet.length < PACKET_BYTES || !packet.subarray(24, 32).equals(cookie)) return null
  const first = packet.readUInt8(0)
  if ((first & 0b111) !== 4) return null
  return {
    leap: first >> 6,
    stratum: packet.readUInt8(1),
    reference: packet.toString('latin1', 12, 16).replace(/[^\x20-\x7e]/g, ''),
    rootDelayMs: short(packet, 4),
    rootDispersionMs: short(packet, 8),
    receivedMs: timestamp(packet, 32),
    sentMs: timestamp(packet, 40),
  }
}

const short = (packet: Buffer, offset: number): number => (packet.readUInt32BE(offset) / 65_536) * 1_000
/** An NTP timestamp in epoch ms; seconds below 2^31 are of the era that begins in 2036. */
const timestamp = (packet: Buffer, offset: number): number => {
  const seconds = packet.readUInt32BE(offset)
  const era = seconds < 0x8000_0000 ? 0x1_0000_0000 : 0
  return (seconds + era - NTP_EPOCH_S) * 1_000 + (packet.readUInt32BE(offset + 4) / 0x1_0000_0000) * 1_000
}

const round = (ms: number): number => Math.round(ms * 1_000) / 1_000

const judge = (answer: NtpAnswer, sentMs: number, arrivedMs: number, maxStratum: number): CheckOutcome => {
  if (answer.stratum === 0) return failed('refused', words.sentAway(answer.reference))
  const values = {
    offset: round((answer.receivedMs - sentMs + (answer.sentMs - arrivedMs)) / 2),
    delay: round(Math.max(0, arrivedMs - sentMs - (answer.sentMs - answer.receivedMs))),
    stratum: answer.stratum,
    root_delay: round(answer.rootDelayMs),
    root_dispersion: round(answer.rootDispersionMs),
  }
  const details = () => [detail(words.detail, words.answer(answer))]
  if (answer.leap === 3 || answer.stratum >= 16)
    return { values: {}, failure: failure('mismatch', words.unsynchronised), details }
  const tooFar = answer.stratum > maxStratum ? failure('mismatch', words.stratum(answer.stratum, maxStratum)) : null
  return { values, failure: tooFar, details }
}

const LEAPS = ['aucun', 'une seconde en plus ce jour', 'une seconde en moins ce jour', 'horloge non synchronisée']
const milliseconds = (ms: number): string => `${ms.toLocaleString('fr-FR', { maximumFractionDigits: 3 })} ms`

const words = {
  silent: 'aucune réponse du serveur de temps',
  sentAway: (reason: string) => `le serveur de temps refuse de répondre (${reason})`,
  unsynchronised: 'le serveur de temps dit ne pas être synchronisé lui-même',
  stratum: (stratum: number, max: number) => `strate ${stratum}, au plus ${max} attendue`,
  detail: 'Réponse NTP',
  answer: (answer: NtpAnswer) =>
    [
      `Strate : ${answer.stratum}`,
      `Référence : ${answer.stratum > 1 ? 'un autre serveur de temps' : answer.reference}`,
      `Saut de seconde : ${LEAPS[answer.leap] ?? answer.leap}`,
      `Délai jusqu’à l’horloge de référence : ${milliseconds(answer.rootDelayMs)}`,
      `Dispersion : ${milliseconds(answer.rootDispersionMs)}`,
      `Question reçue : ${instantText(answer.receivedMs)}`,
      `Réponse partie : ${instantText(answer.sentMs)}`,
    ].join('\n'),
} as const
