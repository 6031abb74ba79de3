import type { FieldValue, OpeningRange } from '@narval/contracts'
import { DEMO_CONTRACTS, type DemoModel } from './demo-models.ts'

/** The demonstration's fleet: French sites and equipment, the same for the same size. */
export interface DemoSite {
  readonly name: string
  readonly code: string
  readonly type: string
  readonly address: string
  readonly postalCode: string
  readonly city: string
  readonly latitude: number
  readonly longitude: number
  readonly openingHours: readonly OpeningRange[]
  readonly hosts: readonly DemoHost[]
}
export interface DemoHost {
  readonly name: string
  readonly address: string
  readonly type: string
  readonly tags: readonly string[]
  readonly description: string
  /** Besides its life test, it answers HTTP and its times have thresholds. */
  readonly web: boolean
  /** Place of its parent among the hosts of its site; null for the site's first router. */
  readonly parent: number | null
  /** Hardware model: manufacturer and name, both invented; null for what is no hardware. */
  readonly hardware: readonly [manufacturer: string, name: string] | null
  /** Monitoring models that it has; what none of them gives it has of its own. */
  readonly models: readonly DemoModel[]
  /** Custom fields, by key. */
  readonly fields: Readonly<Record<string, FieldValue>>
}

const CITIES = [
  ['Paris', '75012', 48.844, 2.373, 'Siège', 'rue de Bercy'],
  ['Paris', '75015', 48.841, 2.293, 'Datacenter', 'rue Leblanc'],
  ['Lyon', '69003', 45.76, 4.86, 'Agence', 'boulevard Vivier-Merle'],
  ['Marseille', '13002', 43.305, 5.367, 'Datacenter', 'quai du Lazaret'],
  ['Lille', '59000', 50.637, 3.07, 'Agence', 'avenue Willy-Brandt'],
  ['Nantes', '44200', 47.206, -1.539, 'Entrepôt', 'boulevard Gustave-Roch'],
  ['Toulouse', '31000', 43.611, 1.453, 'Agence', 'allées Jean-Jaurès'],
  ['Bordeaux', '33000', 44.826, -0.556, 'Agence', 'quai de Paludate'],
  ['Strasbourg', '67000', 48.585, 7.735, 'Agence', 'place des Halles'],
  ['Rennes', '35000', 48.104, -1.672, 'Agence', 'boulevard Solférino'],
  ['Reims', '51100', 49.259, 4.024, 'Usine', 'rue de Courcelles'],
  ['Le Havre', '76600', 49.486, 0.125, 'Entrepôt', 'quai de Southampton'],
  ['Saint-Étienne', '42000', 45.443, 4.4, 'Usine', 'avenue Denfert-Rochereau'],
  ['Toulon', '83000', 43.128, 5.929, 'Agence', 'boulevard de Tessé'],
  ['Grenoble', '38000', 45.191, 5.714, 'Usine', 'place de la Gare'],
  ['Dijon', '21000', 47.323, 5.027, 'Agence', 'rue Mariotte'],
  ['Angers', '49100', 47.465, -0.557, 'Point de vente', 'place de la Visitation'],
  ['Nîmes', '30000', 43.832, 4.366, 'Point de vente', 'boulevard Talabot'],
  ['Clermont-Ferrand', '63000', 45.779, 3.1, 'Usine', 'avenue de l’Union-Soviétique'],
  ['Tours', '37000', 47.39, 0.69, 'Agence', 'rue Édouard-Vaillant'],
  ['Limoges', '87000', 45.836, 1.267, 'Entrepôt', 'avenue du Général-de-Gaulle'],
  ['Amiens', '80000', 49.89, 2.308, 'Usine', 'place Alphonse-Fiquet'],
  ['Metz', '57000', 49.11, 6.177, 'Agence', 'place du Général-de-Gaulle'],
  ['Besançon', '25000', 47.247, 6.022, 'Point de vente', 'avenue de la Paix'],
  ['Perpignan', '66000', 42.696, 2.879, 'Entrepôt', 'avenue du Général-de-Gaulle'],
  ['Orléans', '45000', 47.908, 1.904, 'Agence', 'avenue de Paris'],
  ['Mulhouse', '68100', 47.742, 7.343, 'Usine', 'avenue du Général-Leclerc'],
  ['Caen', '14000', 49.176, -0.348, 'Agence', 'place de la Gare'],
  ['Rouen', '76000', 49.449, 1.094, 'Entrepôt', 'rue Jeanne-d’Arc'],
  ['Nancy', '54000', 48.69, 6.174, 'Agence', 'place Thiers'],
  ['Montpellier', '34000', 43.605, 3.88, 'Datacenter', 'rue Maguelone'],
  ['Nice', '06000', 43.704, 7.262, 'Agence', 'avenue Thiers'],
  ['Brest', '29200', 48.388, -4.48, 'Entrepôt', 'place du 19e-RI'],
  ['Le Mans', '72000', 47.995, 0.192, 'Usine', 'boulevard Robert-Jarry'],
  ['Avignon', '84000', 43.942, 4.805, 'Point de vente', 'boulevard Saint-Roch'],
  ['Poitiers', '86000', 46.583, 0.334, 'Point de vente', 'boulevard du Grand-Cerf'],
  ['La Rochelle', '17000', 46.153, -1.145, 'Point de vente', 'place Pierre-Semard'],
  ['Pau', '64000', 43.292, -0.37, 'Usine', 'avenue Gaston-Lacoste'],
  ['Annecy', '74000', 45.902, 6.121, 'Point de vente', 'place de la Gare'],
  ['Bayonne', '64100', 43.497, -1.47, 'Point de vente', 'place de la République'],
] as const

const WORKING_WEEK = [1, 2, 3, 4, 5]
const WITH_SATURDAY = [1, 2, 3, 4, 5, 6]
/** Service hours by type of site; a data centre has none, which means at any time. */
const HOURS: Readonly<Record<string, readonly OpeningRange[]>> = {
  Siège: [{ days: WORKING_WEEK, from: '07:30', to: '19:30' }],
  Agence: [{ days: WORKING_WEEK, from: '08:30', to: '18:00' }],
  Entrepôt: [{ days: WITH_SATURDAY, from: '05:00', to: '21:00' }],
  Usine: [
    { days: WORKING_WEEK, from: '05:00', to: '23:00' },
    { days: [6], from: '06:00', to: '14:00' },
  ],
  'Point de vente': [{ days: WITH_SATURDAY, from: '09:00', to: '19:30' }],
}

/** What a site is made of, in order: the first is its router, on which the others depend. */
const KINDS = [
  { prefix: 'rtr', type: 'Routeur', tags: ['wan'], description: 'Routeur de sortie du site', web: false },
  { prefix: 'sw', type: 'Commutateur', tags: ['lan'], description: 'Commutateur d’étage', web: false },
  { prefix: 'srv-fichiers', type: 'Serveur', tags: ['linux'], description: 'Partage de fichiers', web: true },
  { prefix: 'ap', type: 'Point d’accès', tags: ['wifi'], description: 'Borne sans fil', web: false },
  {
    prefix: 'srv-appli',
    type: 'Serveur',
    tags: ['linux', 'production'],
    description: 'Serveur d’applications',
    web: true,
  },
  { prefix: 'imp', type: 'Imprimante', tags: ['bureautique'], description: 'Imprimante partagée', web: true },
  { prefix: 'cam', type: 'Caméra', tags: ['sûreté'], description: 'Caméra d’accès', web: false },
  { prefix: 'onduleur', type: 'Onduleur', tags: ['énergie'], description: 'Onduleur de la baie', web: true },
  { prefix: 'www', type: 'Service web', tags: ['production'], description: 'Portail du site', web: true },
  { prefix: 'db', type: 'Base de données', tags: ['production'], description: 'Base de données locale', web: false },
  { prefix: 'pare-feu', type: 'Pare-feu', tags: ['wan'], description: 'Pare-feu du site', web: true },
  { prefix: 'srv-compta', type: 'Serveur', tags: ['windows'], description: 'Comptabilité', web: true },
] as const

const HARDWARE: Readonly<Record<string, readonly [string, string]>> = {
  rtr: ['Cabestan', 'R-210'],
  sw: ['Cabestan', 'S-48'],
  'pare-feu': ['Cabestan', 'P-90'],
  ap: ['Ondine', 'AP 6'],
  'srv-fichiers': ['Ormeau', 'Bastion 2U'],
  'srv-appli': ['Ormeau', 'Bastion 1U'],
  'srv-compta': ['Ormeau', 'Bastion 1U'],
  db: ['Ormeau', 'Bastion 2U'],
  imp: ['Plume', 'Laser 430'],
  cam: ['Vigie', 'Dôme 4K'],
  onduleur: ['Galvan', 'UPS 1500'],
}

type Kind = (typeof KINDS)[number]
const NETWORK: readonly string[] = ['rtr', 'sw', 'ap', 'pare-feu']

const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')

/** A fleet of `size` hosts over at most 40 sites; addresses are 127.20.site.host, at most 65,000 hosts. */
export const demoFleet = (size: number): DemoSite[] => {
  const count = Math.max(1, Math.min(CITIES.length, Math.ceil(size / 12)))
  return CITIES.slice(0, count).map(([city, postalCode, latitude, longitude, type, street], index) => {
    const share = Math.floor(size / count) + (index < size % count ? 1 : 0)
    const isSecond = CITIES.slice(0, index).some(([other]) => other === city)
    const name = isSecond || type === 'Siège' ? `${city} · ${type}` : city
    return {
      name,
      code: `${slug(city).replaceAll('-', '').slice(0, 3).toUpperCase()}-${index + 1}`,
      type,
      address: `${((index * 17) % 90) + 1} ${street}`,
      postalCode,
      city,
      latitude,
      longitude,
      openingHours: HOURS[type] ?? [],
      hosts: Array.from({ length: share }, (_, rank) =>
        demoHost(slug(city) + (isSecond ? '-2' : ''), index, rank, share),
      ),
    }
  })
}

const demoHost = (place: string, site: number, rank: number, share: number): DemoHost => {
  const kind = KINDS[rank % KINDS.length] ?? KINDS[0]
  const number = String(Math.floor(rank / KINDS.length) + 1).padStart(2, '0')
  const address = `127.${20 + Math.floor(rank / 250)}.${site}.${(rank % 250) + 1}`
  return {
    name: `${kind.prefix}-${place}-${number}`,
    address,
    type: kind.type,
    tags: kind.tags,
    description: kind.description,
    web: kind.web,
    parent: parentOf(rank, share),
    hardware: HARDWARE[kind.prefix] ?? null,
    models: modelsOf(kind),
    fields: rank < KINDS.length ? fieldsOf(kind, site, rank) : {},
  }
}

/** The site's first router carries its switches, which carry the rest in turn. */
const parentOf = (rank: number, share: number): number | null => {
  if (rank === 0) return null
  const first = KINDS.findIndex(kind => kind.prefix === 'sw')
  const switches = Math.ceil((share - first) / KINDS.length)
  return rank % KINDS.length === first || switches === 0 ? 0 : first + KINDS.length * (rank % switches)
}

/** Printers and cameras have scanners of their own, as where nobody has made a model yet. */
const modelsOf = ({ prefix, web }: Kind): readonly DemoModel[] => {
  if (NETWORK.includes(prefix)) return web ? ['network', 'web'] : ['network']
  if (prefix === 'db') return ['database']
  return web && prefix !== 'imp' ? ['web'] : []
}

const LINES = [20, 50, 100, 200, 500, 1_000]
/** Of the first of each kind; the others show what their model or the field's default says. */
const fieldsOf = ({ prefix }: Kind, site: number, rank: number): Record<string, FieldValue> => {
  if (prefix === 'rtr') return { debit: LINES[(site * 5) % LINES.length] ?? 100, fin_garantie: warrantyEnd(site, rank) }
  if (!prefix.startsWith('srv')) return {}
  return {
    fin_garantie: warrantyEnd(site, rank),
    contrat: DEMO_CONTRACTS[(site + rank) % DEMO_CONTRACTS.length] ?? DEMO_CONTRACTS[0],
    // Far sites are slower, and known to be.
    ...(site % 4 === 3 && { temps_admis: 400 }),
  }
}
const warrantyEnd = (site: number, rank: number): string =>
  `${2026 + ((site + rank) % 4)}-${String(((site * 7 + rank) % 12) + 1).padStart(2, '0')}-${String(((site * 3) % 28) + 1).padStart(2, '0')}`
