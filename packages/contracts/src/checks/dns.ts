import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, portField, portParameter, textParameter } from '../check-definition.ts'

export const DNS_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT'] as const

export const dns = defineCheck({
  kind: 'dns',
  rank: 50,
  concurrency: 256,
  label: 'DNS',
  family: 'Réseau',
  description: 'Question posée à un serveur de noms\u202f: temps de réponse et enregistrements attendus.',
  keywords: ['nom', 'résolution', 'zone', 'soa', 'mx', 'bind'],
  parameters: z.strictObject({
    /** Asked for; an IP address with type PTR asks for its name. */
    name: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(253),
        z.regex(/^[^\s\p{Cc}]+$/u, 'Un nom de domaine ne contient ni espace ni caractère de contrôle'),
      ),
    type: z._default(z.enum(DNS_TYPES), 'A'),
    /** `host`: the equipment is the name server; `probe`: the name servers of the probe's machine are asked. */
    server: z._default(z.enum(['host', 'probe']), 'host'),
    port: z._default(portParameter, 53),
    /** Each must be among the answers, written as the details show them. */
    expected: z._default(z.array(textParameter(500)).check(z.maxLength(50)), []),
    /** True: the answers must be those expected and no other. */
    exact: z._default(z.boolean(), false),
  }),
  fields: {
    name: { type: 'text', label: 'Nom demandé', help: 'Exemple\u202f: www.exemple.fr', required: true },
    type: {
      type: 'choice',
      label: 'Type d’enregistrement',
      choices: DNS_TYPES.map(value => ({ value, label: value })),
    },
    server: {
      type: 'choice',
      label: 'Serveur interrogé',
      choices: [
        { value: 'host', label: 'L’équipement lui-même' },
        { value: 'probe', label: 'Ceux de la machine de la sonde' },
      ],
    },
    port: { ...portField('53 d’ordinaire.'), when: ({ server }) => server !== 'probe' },
    expected: {
      type: 'words',
      label: 'Réponses attendues',
      help: 'Chacune doit être donnée\u202f; vide\u202f: toute réponse convient. Exemples\u202f: 192.0.2.10, 10 mail.exemple.fr',
      wide: true,
    },
    exact: {
      type: 'switch',
      label: 'Aucune autre réponse',
      help: 'Une réponse qui n’est pas attendue met le contrôle en échec.',
    },
  },
  metrics: [
    AVAILABILITY,
    { key: 'answer_time', name: 'Temps de réponse DNS', unit: 'ms', type: 'gauge' },
    { key: 'records', name: 'Enregistrements reçus', unit: 'count', type: 'gauge' },
    { key: 'soa_serial', name: 'Numéro de série de la zone', unit: 'code', type: 'gauge', optional: true },
  ],
})
