import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { CheckParameters } from '@narval/contracts'
import { errorCode } from '../failure.ts'
import { createReader, type Reader } from '../services/reader.ts'
import { spoken } from '../services/redaction.ts'
import { runService, type ServiceRun } from '../services/service-run.ts'
import { AGREEMENTS, fingerprintOf, HOST_KEYS, isSignedBy } from '../services/ssh-exchange.ts'
import {
  createFields,
  keyInit,
  MESSAGE,
  type Offers,
  packet,
  parseKeyInit,
  text,
  weakAlgorithms,
} from '../services/ssh-wire.ts'
import { checkRunner } from './check.ts'

/** All that a server may say in one run, and in one packet. */
const MAX_BYTES = 256 * 1_024
const PACKET_MAX = 64 * 1_024
/** Lines that a server may say before its version (RFC 4253, 4.2), and packets that say nothing. */
const PREFACE_LINES = 50
const IDLE_PACKETS = 50
const CLIENT_VERSION = 'SSH-2.0-Narval'

interface Talk {
  readonly run: ServiceRun
  readonly socket: Socket
  readonly reader: Reader
  readonly parameters: CheckParameters<'ssh'>
}

/** An SSH server up to its host key: version, algorithms, and the exchange of keys that proves the key is its own. */
export const ssh = checkRunner('ssh', (check, parameters, context) =>
  runService(check, parameters.port, context, async run => {
    const socket = await run.connect()
    const talk: Talk = { run, socket, parameters, reader: createReader(run, socket, MAX_BYTES) }
    const version = await readVersion(talk)
    await readable(run, () => exchangeKeys(talk, version))
  }),
)

/** What can't be read as SSH is said so, whatever was wrong with it. */
const readable = async (run: ServiceRun, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    // Of the fields, or of the cryptography that is given them.
    const isMalformed = error instanceof RangeError || errorCode(error).startsWith('ERR_')
    throw isMalformed ? run.fail('protocol', words.malformed) : error
  }
}

const readVersion = async ({ run, reader, parameters }: Talk): Promise<string> => {
  run.stage(words.stages.banner)
  let line = ''
  for (let count = 0; !line.startsWith('SSH-'); count += 1) {
    if (count > PREFACE_LINES) throw run.fail('protocol', words.noSsh(spoken(line)))
    line = await reader.line()
    run.note(`← ${spoken(line)}`)
    if (/^HTTP\//u.test(line)) throw run.fail('protocol', words.noSsh(spoken(line)))
  }
  run.mark('banner_time')
  if (!/^SSH-(?:2\.0|1\.99)-/u.test(line)) throw run.fail('mismatch', words.oldProtocol(spoken(line)))
  if (!line.includes(parameters.banner)) throw run.fail('mismatch', words.banner(parameters.banner, spoken(line)))
  return line
}

/** The next packet that says something. */
const readPacket = async ({ run, reader }: Talk): Promise<Buffer> => {
  for (let count = 0; count < IDLE_PACKETS; count += 1) {
    const length = (await reader.bytes(4)).readUInt32BE()
    if (length < 2 || length > PACKET_MAX) throw run.fail('protocol', words.malformed)
    const body = await reader.bytes(length)
    const payload = body.subarray(1, length - body.readUInt8(0))
    const type = payload.readUInt8(0)
    if (type === MESSAGE.disconnect) throw run.fail('protocol', words.refused(reasonIn(payload)))
    if (type !== MESSAGE.ignore && type !== MESSAGE.debug) return payload
  }
  throw run.fail('protocol', words.malformed)
}

const reasonIn = (payload: Buffer): string => spoken(createFields(payload.subarray(5)).next().toString('utf8'))

const exchangeKeys = async (talk: Talk, serverVersion: string): Promise<void> => {
  const { run, socket, parameters } = talk
  run.stage(words.stages.exchange)
  socket.write(`${CLIENT_VERSION}\r\n`)
  const serverInit = await readPacket(talk)
  if (serverInit.readUInt8(0) !== MESSAGE.keyInit) throw run.fail('protocol', words.malformed)
  const offers = parseKeyInit(serverInit)
  const weak = weakAlgorithms(offers)
  run.values.weak_algorithms = weak.length
  showOffers(run, offers, weak)
  const chosen = choose(offers)
  if (chosen === null) {
    if (parameters.fingerprints.length > 0) throw run.fail('mismatch', words.nothingCommon)
    return
  }
  const fingerprint = await readHostKey(talk, { serverVersion, serverInit, ...chosen })
  run.mark('exchange_time')
  run.show(words.hostKey, `${chosen.hostKey} ${fingerprint}`)
  socket.write(packet(DISCONNECT))
  if (parameters.fingerprints.length > 0 && !parameters.fingerprints.includes(fingerprint))
    throw run.fail('mismatch', words.fingerprint(fingerprint))
}

/** By application, with words for the server's journal. */
const DISCONNECT = Buffer.concat([Buffer.from([MESSAGE.disconnect, 0, 0, 0, 11]), text('Narval'), text('')])

interface Chosen {
  readonly exchange: string
  readonly hostKey: string
}
/** The first of ours that the server has too (RFC 4253, 7.1); null: nothing in common. */
const choose = (offers: Offers): Chosen | null => {
  const exchange = Object.keys(AGREEMENTS).find(name => offers.exchange.includes(name))
  const hostKey = Object.keys(HOST_KEYS).find(name => offers.hostKey.includes(name))
  return exchange === undefined || hostKey === undefined ? null : { exchange, hostKey }
}

const readHostKey = async (
  talk: Talk,
  { serverVersion, serverInit, exchange, hostKey: algorithm }: Chosen & { serverVersion: string; serverInit: Buffer },
): Promise<string> => {
  const { run, socket } = talk
  const agreement = AGREEMENTS[exchange]
  if (agreement === undefined) throw run.fail('internal', words.nothingCommon)
  // What comes after the keys is never spoken: any cipher that the server names will do.
  const { cipherIn, cipherOut, macIn, macOut, compressionIn, compressionOut } = parseKeyInit(serverInit)
  const ciphers = { cipherIn, cipherOut, macIn, macOut, compressionIn, compressionOut }
  const own = { exchange: [exchange], hostKey: [algorithm], ...ciphers, languageIn: [], languageOut: [] }
  const clientInit = keyInit(randomBytes(16), own)
  const { open: clientOpen, secret } = agreement.begin()
  socket.write(packet(clientInit))
  socket.write(packet(Buffer.concat([Buffer.from([MESSAGE.exchangeInit]), agreement.encode(clientOpen)])))
  const reply = await readPacket(talk)
  if (reply.readUInt8(0) !== MESSAGE.exchangeReply) throw run.fail('protocol', words.malformed)
  const fields = createFields(reply.subarray(1))
  const [hostKey, serverOpen, signature] = [fields.next(), fields.next(), fields.next()]
  const said = { clientVersion: CLIENT_VERSION, serverVersion, clientInit, serverInit, hostKey, clientOpen, serverOpen }
  if (!isSignedBy(agreement, said, secret(serverOpen), algorithm, signature)) throw run.fail('mismatch', words.forged)
  return fingerprintOf(hostKey)
}

const showOffers = (run: ServiceRun, offers: Offers, weak: readonly string[]): void => {
  const line = (label: string, names: readonly string[]): string => `${label} : ${spoken(names.join(', '))}`
  run.show(
    words.algorithms,
    [
      line('échange de clés', offers.exchange),
      line('clé d’hôte', offers.hostKey),
      line('chiffrement', offers.cipherIn),
      line('intégrité', offers.macIn),
      line('faibles', weak.length === 0 ? ['aucun'] : weak),
    ].join('\n'),
  )
}

const words = {
  stages: { banner: 'en attendant l’accueil', exchange: 'pendant l’échange de clés' },
  algorithms: 'Algorithmes proposés',
  hostKey: 'Clé d’hôte',
  noSsh: (said: string) => `le service ne parle pas SSH : « ${said} »`,
  oldProtocol: (said: string) => `version 1 de SSH, abandonnée : « ${said} »`,
  banner: (expected: string, said: string) => `version inattendue : « ${expected} » n’est pas dans « ${said} »`,
  malformed: 'réponse incompréhensible : ce n’est pas un échange de clés SSH',
  refused: (said: string) => `connexion refusée par le serveur SSH : ${said}`,
  nothingCommon: 'empreinte non vérifiée : le serveur ne propose aucun échange de clés connu de la sonde',
  forged: 'clé d’hôte non prouvée : la signature du serveur est fausse',
  fingerprint: (found: string) => `empreinte de la clé d’hôte inattendue : ${found}`,
} as const
