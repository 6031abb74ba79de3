import { hostname } from 'node:os'
import {
  addressKey,
  DISCOVERY_PORTS,
  type DiscoveredAddress,
  type DiscoveredPart,
  type DiscoveryTask,
  fold,
  formatAddress,
  LOOK_LIMIT_MS,
  type Look,
  type LookInput,
  type LookSuggestion,
  parseAddress,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { conflict, forbidden, invalidField, unavailable } from '../../http/refusal.ts'
import { siteCredential } from '../../monitoring/check-credentials.ts'
import { readGateway } from '../../monitoring/probe/own-machine.ts'
import { audit } from '../../store/audit.ts'
import { LOCAL_PROBE } from '../../store/site-probe.ts'
import { modelsOf, readCatalogue, typeOf } from './finding.store.ts'
import { nameOf } from './findings.ts'
import { guessRole } from './guess.ts'
import type { RunDeps } from './run.service.ts'
import { troubleOf } from './run-rules.ts'
import { texts } from './texts.ts'

/** A probe that is there fetches an order within a second. */
const ORDER_LIFE_MS = 5_000
/** Waited for beyond what the probe is allowed: the way there and back. */
const MARGIN_MS = 5_000
const METHODS = ['ping', 'reverse_dns', 'ports', 'snmp'] as const

interface LookingProbe {
  readonly id: number
  readonly name: string
  readonly approval: string
  readonly local: 0 | 1
}
interface Seen {
  readonly found: DiscoveredAddress | null
  readonly notes: readonly string[]
}

/** Looks at one address for a person who waits, as a discovery would; nothing of it is kept but the entry of the log. */
export const createLookService = (deps: RunDeps) => {
  const { database, now, monitoring } = deps
  const { db } = database

  const probeOf = async (siteId: number | null): Promise<LookingProbe | null> => {
    const chosen = siteId === null ? null : ((await deps.siteProbes.all()).get(siteId)?.probeId ?? null)
    const row = await db
      .selectFrom('probe')
      .select(['id', 'name', 'approval', 'local'])
      .where('id', '=', chosen ?? sql<number>`${LOCAL_PROBE}`)
      .executeTakeFirst()
    return row ?? null
  }
  const taskOf = (address: string, probe: LookingProbe): DiscoveryTask => {
    const ip = parseAddress(address)
    const text = ip === null ? null : formatAddress(ip.family, ip.value)
    return {
      ...(text === null ? { intervals: [], name: address } : { intervals: [{ from: text, to: text }] }),
      ...{ rate: 1, methods: [...METHODS], ports: [...DISCOVERY_PORTS] },
      // Only the local probe may look at its own machine (S47).
      loopback: probe.local === 1,
      limitMs: LOOK_LIMIT_MS,
    }
  }
  /** Asks, and gathers the parts of the answer until the last one. */
  const ask = async (probe: LookingProbe, body: LookInput, signal: AbortSignal): Promise<Seen> => {
    const { siteId } = body
    const credential =
      siteId === null
        ? ({ kind: 'none', reason: 'missing' } as const)
        : await siteCredential(db, deps.secrets, 'snmp', siteId)
    const answered = Promise.withResolvers<Seen>()
    let found: DiscoveredAddress | null = null
    const take = (part: DiscoveredPart): void => {
      for (const one of part.found) {
        if (found !== null || !isAbout(body.address, one)) throw forbidden(texts.outside)
        found = one
      }
      if (part.last)
        answered.resolve({ found, notes: [...(part.failure === null ? [] : [part.failure.message]), ...part.notes] })
    }
    const task = taskOf(body.address, probe)
    const order = await deps.assign(
      probe.id,
      { kind: 'discover', task, credential },
      {
        lifeMs: ORDER_LIFE_MS,
        onAnswer: async outcome => {
          if (outcome.kind === 'discovered') take(outcome)
          else answered.reject(outcome.kind === 'refused' ? conflict(texts.lookBusy) : forbidden(texts.wrongAnswer))
        },
      },
    )
    const late = setTimeout(() => answered.reject(unavailable(texts.lookSilent(probe.name))), LOOK_LIMIT_MS + MARGIN_MS)
    const left = () => answered.reject(unavailable(texts.lookSilent(probe.name)))
    signal.addEventListener('abort', left, { once: true })
    try {
      const seen = await answered.promise
      order.over()
      return seen
    } catch (error) {
      order.end()
      throw error
    } finally {
      clearTimeout(late)
      signal.removeEventListener('abort', left)
    }
  }
  const isSite = async (id: number): Promise<boolean> =>
    (await db.selectFrom('site').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  const hostAt = async (addresses: readonly string[]): Promise<Look['host']> =>
    (await db
      .selectFrom('host')
      .select(['id', 'name'])
      .where('address_folded', 'in', addresses.map(fold))
      .orderBy('id')
      .executeTakeFirst()) ?? null

  return {
    async look(viewer: Viewer, body: LookInput, signal: AbortSignal): Promise<Look> {
      const { address, siteId } = body
      if (siteId !== null && !(await isSite(siteId))) throw invalidField('siteId', "Ce site n'existe pas.")
      const probe = await probeOf(siteId)
      const ip = parseAddress(address)
      const intervals = ip === null ? [] : [{ family: ip.family, from: ip.value, to: ip.value }]
      const trouble = troubleOf(probe, intervals, id => monitoring.presence.state(id) === 'online')
      if (probe === null || trouble !== null) throw conflict(trouble ?? texts.noProbe)
      const detail = { name: probe.name, address }
      await audit(db, { action: 'discovery-look', outcome: 'success', actor: viewer.login, detail }, now())
      const { found, notes } = await ask(probe, body, signal)
      const facts = found ?? silent(address)
      const role = guessRole(facts)
      const catalogue = await readCatalogue(db)
      const type = typeOf(role, catalogue)
      const name = nameOf(facts)
      return {
        probe: { id: probe.id, name: probe.name },
        answered: found !== null,
        address: facts.address,
        // A name that was typed says more than the address that it stands for.
        name: name === facts.address ? address : name,
        ...{ rttMs: facts.rttMs, openPorts: facts.openPorts, dnsName: facts.dnsName },
        snmp: facts.snmp === null ? null : { sysName: facts.snmp.sysName, sysDescr: facts.snmp.sysDescr },
        role,
        proposal: {
          typeId: type?.id ?? null,
          typeName: type?.name ?? null,
          ...watched(modelsOf(role, facts, catalogue), catalogue.models.get('web-service')?.id ?? null, address, facts),
        },
        host: await hostAt([address, facts.address]),
        notes: [...notes],
      }
    },
    /** What the server's own machine knows, where its probe looks for it; those that are hosts already are left out. */
    async suggestions(): Promise<LookSuggestion[]> {
      const probe = await probeOf(null)
      if (probe === null) return []
      const gateway = readGateway()
      const all = [
        ...(gateway === null ? [] : [{ address: gateway, name: texts.gateway }]),
        { address: '127.0.0.1', name: hostname() },
      ]
      const held = await Promise.all(all.map(({ address }) => hostAt([address])))
      return all.filter((_, at) => held[at] === null)
    },
  }
}

/** Ports that show pages, in the order in which one is looked at. */
const PAGES: readonly (readonly [port: number, url: string])[] = [
  [443, 'https://{address}/'],
  [80, 'http://{address}/'],
  [8443, 'https://{address}:8443/'],
  [8080, 'http://{address}:8080/'],
]

/**
 * The model of web services asks for HTTPS and a certificate in the name of the service: where that can't be, by an address
 * or without that port, the page itself is watched as it is.
 */
const watched = (
  models: { readonly id: number; readonly name: string }[],
  web: number | null,
  asked: string,
  { openPorts }: DiscoveredAddress,
): Pick<Look['proposal'], 'monitoringModels' | 'page'> => {
  const isNamed = parseAddress(asked) === null && openPorts.includes(443)
  if (isNamed || !models.some(({ id }) => id === web)) return { monitoringModels: models, page: null }
  const [, page = null] = PAGES.find(([port]) => openPorts.includes(port)) ?? []
  return { monitoringModels: models.filter(({ id }) => id !== web), page }
}

/** A probe may tell only of what it was asked (S57); where a name stands is its to say. */
const isAbout = (asked: string, { address }: DiscoveredAddress): boolean =>
  parseAddress(asked) === null || addressKey(asked) === addressKey(address)

const silent = (address: string): DiscoveredAddress => ({
  ...{ address, rttMs: null, dnsName: '', mac: null, openPorts: [], snmp: null, neighbours: [], hops: null },
})
