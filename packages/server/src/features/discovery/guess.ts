import type { DiscoveredAddress, DiscoveryRole } from '@narval/contracts'

/** What a guess looks at. */
export type GuessFacts = Pick<DiscoveredAddress, 'openPorts' | 'snmp' | 'dnsName'>

/** One clue: what it speaks for, and how loudly. A clue counts once, however many of its words or ports are there. */
interface Clue {
  readonly role: Exclude<DiscoveryRole, 'unknown'>
  readonly weight: number
  /** Enterprises of `sysObjectID`, below 1.3.6.1.4.1; deeper ones are products. */
  readonly enterprises?: readonly string[]
  /** Words of `sysDescr`, folded to lower case, whole. */
  readonly words?: readonly string[]
  readonly ports?: readonly number[]
  readonly mib?: 'printer' | 'ups'
  readonly forwards?: true
  /** It bridges at least so many ports. */
  readonly bridgePorts?: number
  /** The layer of `sysServices` that it works on, and no higher one of these two. */
  readonly layer?: 2 | 3
}

/** From the surest to the weakest: what only one kind of equipment has, what it says, who made it, which ports are open. */
export const CLUES: readonly Clue[] = [
  { role: 'ups', weight: 100, mib: 'ups' },
  { role: 'printer', weight: 100, mib: 'printer' },

  { role: 'linux-server', weight: 60, enterprises: ['8072.3.2.10'] },
  { role: 'windows-server', weight: 60, enterprises: ['311.1.1.3'] },
  { role: 'linux-server', weight: 40, enterprises: ['8072', '2021', '6876.4'] },
  {
    role: 'ups',
    weight: 60,
    enterprises: ['318.1.3', '534.1', '534.2', '705.1', '850.1', '935', '2254.2', '21317', '476.1.42'],
  },
  {
    role: 'printer',
    weight: 60,
    enterprises: [
      '11.2.3.9',
      '253.8.62',
      '367.1.1',
      '641.1',
      '1248.1.1',
      '1347.41',
      '1602.4',
      '2385',
      '2435.2.3',
      '18334.1',
      '236.11.5',
    ],
  },
  { role: 'camera', weight: 60, enterprises: ['368', '39165', '1004849', '3967', '21749'] },
  {
    role: 'access-point',
    weight: 60,
    enterprises: ['14179', '14823.1.2', '25053.3', '41112', '29671.2', '9.1.525', '9.1.1034'],
  },
  {
    role: 'firewall',
    weight: 60,
    enterprises: ['12356', '2620', '25461', '8741', '3097', '21296', '11256', '9.1.669', '9.1.745'],
  },
  {
    role: 'switch',
    weight: 25,
    enterprises: [
      '11.2.3.7',
      '1916',
      '4526',
      '171.10',
      '1991.1.3',
      '6486.800',
      '6486.801',
      '25506.11',
      '207.1',
      '674.10895',
      '30065',
      '259.10',
    ],
  },
  {
    role: 'router',
    weight: 25,
    enterprises: ['9', '2636', '14988', '2011.2', '193', '12325', '30155', '3902', '4413'],
  },

  { role: 'windows-server', weight: 70, words: ['windows'] },
  { role: 'linux-server', weight: 55, words: ['linux', 'ubuntu', 'debian', 'freebsd', 'red hat', 'suse', 'esxi'] },
  {
    role: 'printer',
    weight: 80,
    words: [
      'printer',
      'jetdirect',
      'laserjet',
      'officejet',
      'imprimante',
      'imagerunner',
      'bizhub',
      'workcentre',
      'ecosys',
      'aficio',
      'copieur',
    ],
  },
  { role: 'ups', weight: 80, words: ['ups', 'onduleur', 'smart-ups', 'powerware', 'galaxy'] },
  { role: 'camera', weight: 80, words: ['camera', 'caméra', 'ip camera', 'network camera', 'webcam', 'nvr'] },
  {
    role: 'access-point',
    weight: 80,
    words: ['access point', 'wireless', 'aironet', 'wifi', 'wi-fi', 'unifi', 'wlan', 'point d’accès'],
  },
  {
    role: 'firewall',
    weight: 80,
    words: [
      'firewall',
      'fortigate',
      'pfsense',
      'opnsense',
      'pare-feu',
      'stormshield',
      'adaptive security appliance',
      'sonicwall',
    ],
  },
  {
    role: 'switch',
    weight: 70,
    words: ['switch', 'procurve', 'commutateur', 'catalyst', 'nexus', 'powerconnect', 'comware'],
  },
  { role: 'router', weight: 70, words: ['router', 'routeur', 'routeros', 'junos', 'edgeos', 'vyos', 'isr'] },

  { role: 'switch', weight: 30, bridgePorts: 4 },
  { role: 'switch', weight: 20, layer: 2 },
  { role: 'router', weight: 20, layer: 3 },
  { role: 'router', weight: 15, forwards: true },

  { role: 'printer', weight: 30, ports: [9100, 515, 631] },
  { role: 'printer', weight: 20, ports: [9100] },
  { role: 'camera', weight: 35, ports: [554, 8554] },
  { role: 'windows-server', weight: 30, ports: [3389, 445, 135, 5985] },
  { role: 'database', weight: 22, ports: [5432, 3306, 1433, 1521, 27017, 6379] },
  { role: 'linux-server', weight: 20, ports: [22] },
  { role: 'web-service', weight: 10, ports: [80, 443, 8080, 8443] },
]

const ENTERPRISES = '1.3.6.1.4.1.'
/** Below this nothing was said that tells one from another. */
const ENOUGH = 10

/** What it seems to be; the same facts always give the same, and ties go to the clue that comes first. */
export const guessRole = (facts: GuessFacts): DiscoveryRole => {
  const weights = new Map<DiscoveryRole, number>()
  for (const clue of CLUES) if (speaks(clue, facts)) weights.set(clue.role, (weights.get(clue.role) ?? 0) + clue.weight)
  let best: DiscoveryRole = 'unknown'
  for (const [role, weight] of weights) if (weight >= ENOUGH && weight > (weights.get(best) ?? 0)) best = role
  return best
}

const speaks = (clue: Clue, { openPorts, snmp }: GuessFacts): boolean => {
  if (clue.ports !== undefined) return clue.ports.some(port => openPorts.includes(port))
  if (snmp === null) return false
  if (clue.mib !== undefined) return snmp.mibs.includes(clue.mib)
  if (clue.enterprises !== undefined) return clue.enterprises.some(one => isBelow(snmp.sysObjectId, ENTERPRISES + one))
  if (clue.words !== undefined) return clue.words.some(word => hasWord(snmp.sysDescr.toLowerCase(), word))
  if (clue.forwards === true) return snmp.forwards === true
  if (clue.bridgePorts !== undefined) return (snmp.bridgePorts ?? 0) >= clue.bridgePorts
  return clue.layer !== undefined && topLayer(snmp.sysServices) === clue.layer
}

const isBelow = (oid: string, root: string): boolean => oid === root || oid.startsWith(`${root}.`)

/** Whether a text holds a word whole: no letter or digit touches it. */
const hasWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true
  return false
}
const isLetter = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** 2 or 3 where `sysServices` says that it works there and on no layer of applications; 0 otherwise. */
const topLayer = (services: number | null): number => {
  if (services === null || (services & 0b1001000) !== 0) return 0
  return (services & 4) !== 0 ? 3 : (services & 2) !== 0 ? 2 : 0
}

/** Kinds of model whose checks ask SNMP: of no use to what does not answer to it. */
const BY_SNMP: ReadonlySet<DiscoveryRole> = new Set([
  'linux-server',
  'windows-server',
  'router',
  'switch',
  'printer',
  'ups',
  'access-point',
])
const WEB: readonly number[] = [80, 443, 8080, 8443]

/** Keys of the shipped models that fit, the role's own first: a server that also shows pages gets both. */
export const proposedModels = (role: DiscoveryRole, { openPorts, snmp }: GuessFacts): DiscoveryRole[] => {
  const own = role === 'firewall' ? 'router' : role
  const isServer = role === 'linux-server' || role === 'windows-server'
  const web: DiscoveryRole[] = isServer && WEB.some(port => openPorts.includes(port)) ? ['web-service'] : []
  if (own === 'unknown') return []
  return [...(BY_SNMP.has(own) && snmp === null ? [] : [own]), ...web]
}

/** Names of the types of equipment of an installation that a role stands for, the first that is there counts; folded on use. */
export const ROLE_TYPES: Readonly<Record<DiscoveryRole, readonly string[]>> = {
  'linux-server': ['Serveur Linux', 'Serveur'],
  'windows-server': ['Serveur Windows', 'Serveur'],
  router: ['Routeur'],
  switch: ['Commutateur', 'Switch'],
  printer: ['Imprimante'],
  ups: ['Onduleur'],
  camera: ['Caméra'],
  'access-point': ['Point d’accès', "Point d'accès"],
  'web-service': ['Service web', 'Serveur'],
  database: ['Base de données', 'Serveur'],
  firewall: ['Pare-feu'],
  unknown: [],
}
