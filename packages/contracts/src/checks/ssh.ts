import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, portField, portParameter } from '../check-definition.ts'
import { CONNECT_TIME, wordParameter } from './service-parameters.ts'

const fingerprint = z
  .string()
  .check(
    z.regex(/^SHA256:[A-Za-z0-9+/]{43}$/u, 'Une empreinte s’écrit SHA256: suivi de 43 caractères, comme ssh-keygen -l'),
  )

export const ssh = defineCheck({
  kind: 'ssh',
  rank: 170,
  concurrency: 128,
  label: 'SSH',
  family: 'Réseau',
  description: 'Accueil SSH, échange de clés, empreinte de la clé d’hôte, algorithmes faibles proposés.',
  keywords: ['openssh', 'dropbear', 'sftp', 'clé', 'empreinte', 'bannière'],
  parameters: z.strictObject({
    port: z._default(portParameter, 22),
    /** Text that the server's version line must contain; empty: any. */
    banner: z._default(wordParameter(200), ''),
    /** Host keys that are expected, any of them; empty: every key is. */
    fingerprints: z._default(z.array(fingerprint).check(z.maxLength(20)), []),
  }),
  fields: {
    port: portField('22 d’ordinaire.'),
    banner: {
      type: 'text',
      label: 'Version attendue',
      help: 'L’accueil doit la contenir\u202f; vide\u202f: toute version convient. Exemple\u202f: OpenSSH_9',
    },
    fingerprints: {
      type: 'words',
      label: 'Empreintes attendues',
      help: 'Celles des clés d’hôte, comme « Tester maintenant » les montre\u202f; vide\u202f: toute clé convient.',
      wide: true,
    },
  },
  metrics: [
    AVAILABILITY,
    CONNECT_TIME,
    { key: 'banner_time', name: 'Accueil', unit: 'ms', type: 'gauge' },
    { key: 'exchange_time', name: 'Échange de clés', unit: 'ms', type: 'gauge', optional: true },
    { key: 'weak_algorithms', name: 'Algorithmes faibles proposés', unit: 'count', type: 'gauge' },
  ],
})
