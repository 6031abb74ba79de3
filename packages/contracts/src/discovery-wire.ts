import * as z from 'zod/mini'

/**
 * What a probe is asked and tells of a discovery. All that devices say is bounded here, and cleaned on both sides: a probe
 * may lie, a device too.
 */

/** In the order of their use. `lldp` needs `snmp`. */
export const DISCOVERY_METHODS = ['ping', 'reverse_dns', 'ports', 'snmp', 'lldp', 'traceroute'] as const
export type DiscoveryMethod = (typeof DISCOVERY_METHODS)[number]
/** Methods that find an address; the others only tell more of those found. */
export const FINDING_METHODS = ['ping', 'ports', 'snmp'] as const satisfies readonly DiscoveryMethod[]

export const DISCOVERY_MAX_PORTS = 32
/** Intervals of one order; exclusions cut ranges into more pieces than were written. */
export const DISCOVERY_MAX_INTERVALS = 1_024
/** Addresses told by one part, and the bytes after which a probe begins the next one. */
export const PART_MAX_FOUND = 50
export const PART_MAX_BYTES = 512 * 1024
/** A part is sent at least this often, news or not: silence means that the run is lost. */
export const PART_EVERY_MS = 2_000
export const NEIGHBOURS_MAX = 64
export const HOPS_MAX = 20
export const MACS_MAX = 8
const NOTES_MAX = 10
const SENTENCE_MAX = 300

const ADDRESS = /^[0-9a-f:.]{2,45}$/
const address = z.string().check(z.regex(ADDRESS))
const mac = z.string().check(z.regex(/^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/))
/** One line without control or formatting characters: cut and emptied of them, never refused, since a device wrote it. */
const said = (maxLength: number) =>
  z.pipe(
    z.string().check(z.maxLength(4 * maxLength)),
    z.transform((text: string) => cleanLine(text, maxLength)),
  )

/** What a device wrote as one line that is fit to be shown: no control, formatting or lone surrogate characters. */
export const cleanLine = (text: string, maxLength: number): string => {
  const line = text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\ufffd]+/gu, ' ')
    // The narrow no-break spaces of French typography stay: probes say sentences too.
    .replace(/[^\S\u202f]+/g, ' ')
    .trim()
  // A character outside of the basic plane is not cut in two.
  return line.length <= maxLength
    ? line
    : line
        .slice(0, maxLength)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trimEnd()
}

export const discoveryInterval = z.object({ from: address, to: address })

/** What was found of one address. */
export const discoveredAddress = z.object({
  address,
  /** Null: it did not answer to ping, or was not asked. */
  rttMs: z.nullable(z.number().check(z.minimum(0), z.maximum(60_000))),
  dnsName: said(253),
  mac: z.nullable(mac),
  openPorts: z.array(z.int().check(z.minimum(1), z.maximum(65_535))).check(z.maxLength(DISCOVERY_MAX_PORTS)),
  snmp: z.nullable(
    z.object({
      sysName: said(120),
      sysDescr: said(500),
      sysObjectId: z.string().check(z.regex(/^(?:\d{1,10}(?:\.\d{1,10}){0,63})?$/), z.maxLength(255)),
      sysServices: z.nullable(z.int().check(z.minimum(0), z.maximum(127))),
      sysLocation: said(120),
      /** Whether it passes packets on (ipForwarding). */
      forwards: z.nullable(z.boolean()),
      /** Ports of its bridge (dot1dBaseNumPorts). */
      bridgePorts: z.nullable(z.int().check(z.minimum(0), z.maximum(1_000_000))),
      macs: z.array(mac).check(z.maxLength(MACS_MAX)),
      /** MIBs that only some kinds of equipment have. */
      mibs: z.array(z.enum(['printer', 'ups'])).check(z.maxLength(2)),
    }),
  ),
  neighbours: z
    .array(
      z.object({
        localPort: said(64),
        /** A MAC address where it is one, else what it calls itself. */
        chassis: said(64),
        port: said(64),
        name: said(120),
        addresses: z.array(address).check(z.maxLength(4)),
      }),
    )
    .check(z.maxLength(NEIGHBOURS_MAX)),
  /** Routers before it, the nearest to the probe first; null: one that is silent. Null as a whole: not looked for. */
  hops: z.nullable(z.array(z.nullable(address)).check(z.maxLength(HOPS_MAX))),
})
export type DiscoveredAddress = z.output<typeof discoveredAddress>

/** A part of a discovery, numbered from 1. A part that was taken is sent again when its answer was lost: the server knows it by its number. */
export const discoveredPart = z.object({
  kind: z.literal('discovered'),
  part: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  /** The last one: the discovery is over, well when `failure` is null. */
  last: z.boolean(),
  /** Addresses gone through since the start. */
  done: z.int().check(z.minimum(0), z.maximum(10_000_000)),
  found: z.array(discoveredAddress).check(z.maxLength(PART_MAX_FOUND)),
  /** French: what this probe could not do. */
  notes: z.array(said(SENTENCE_MAX)).check(z.maxLength(NOTES_MAX)),
  failure: z.nullable(z.object({ state: z.enum(['cancelled', 'interrupted', 'failed']), message: said(SENTENCE_MAX) })),
  /** The router by which the probe leaves its network. */
  gateway: z.nullable(address),
})
export type DiscoveredPart = z.output<typeof discoveredPart>

/** What an order to discover says, beside the stamps of every order and the credential. */
export const discoveryTask = z.object({
  intervals: z.array(discoveryInterval).check(z.maxLength(DISCOVERY_MAX_INTERVALS)),
  /** One name to go to instead of intervals, which are then none: where it stands is the probe's to find. */
  name: z.optional(z.string().check(z.maxLength(253))),
  /** Addresses begun in a second. */
  rate: z.int().check(z.minimum(1), z.maximum(500)),
  methods: z.array(z.enum(DISCOVERY_METHODS)),
  ports: z.array(z.int().check(z.minimum(1), z.maximum(65_535))).check(z.maxLength(DISCOVERY_MAX_PORTS)),
  /** Loopback targets are refused unless true (S47). */
  loopback: z.boolean(),
  /** The discovery ends itself after this. */
  limitMs: z.int().check(z.minimum(1), z.maximum(7 * 86_400_000)),
})
export type DiscoveryTask = z.output<typeof discoveryTask>
