import * as z from 'zod/mini'
import { DISCOVERY_ROLES } from './discovery.ts'
import { hostFields } from './host.ts'
import { route } from './route.ts'
import { idValue, nullableId } from './schema.ts'

/** How long one look may take on the probe, ms. */
export const LOOK_LIMIT_MS = 20_000

/** An address that is likely to be the first one, and what stands there. */
const lookSuggestion = z.object({ address: z.string(), name: z.string() })
export type LookSuggestion = z.output<typeof lookSuggestion>

const lookBody = z.object({
  address: hostFields.shape.address,
  /** Whose probe looks, and whose SNMP credential it shows; null: the local probe looks, without any. */
  siteId: z._default(nullableId, null),
})
export type LookInput = z.output<typeof lookBody>

/** What answers at an address: found as a discovery finds it, and kept nowhere. */
export const look = z.object({
  probe: z.object({ id: idValue, name: z.string() }),
  /** False: neither ping, nor a port, nor SNMP. */
  answered: z.boolean(),
  /** The IP address that answered; the address as given when none did. */
  address: z.string(),
  /** The name that it bears, to begin with. */
  name: z.string(),
  rttMs: z.nullable(z.number()),
  openPorts: z.array(z.int()),
  dnsName: z.string(),
  snmp: z.nullable(z.object({ sysName: z.string(), sysDescr: z.string() })),
  role: z.enum(DISCOVERY_ROLES),
  /** What creating it as it stands would make. */
  proposal: z.object({
    typeId: nullableId,
    typeName: z.nullable(z.string()),
    monitoringModels: z.array(z.object({ id: idValue, name: z.string() })),
    /** The page that it shows, to be watched as it is where no model does; null: none. */
    page: z.nullable(z.string()),
  }),
  /** The host that has this address already; null: none. */
  host: z.nullable(z.object({ id: idValue, name: z.string() })),
  /** French: what the probe could not do. */
  notes: z.array(z.string()),
})
export type Look = z.output<typeof look>

export const lookRoutes = {
  suggestions: route({
    method: 'GET',
    path: '/api/Discovery/Look',
    access: 'scanner_write',
    summary: 'Adresses par lesquelles commencer : la passerelle du serveur et le serveur lui-même',
    reply: z.array(lookSuggestion),
  }),
  look: route({
    method: 'POST',
    path: '/api/Discovery/Look',
    access: 'scanner_write',
    rate: 'heavy',
    summary: 'Dire ce qui répond à une adresse, vue d’une sonde, sans rien garder',
    body: lookBody,
    reply: look,
  }),
} as const
