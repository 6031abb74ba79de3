import { fr } from '../fr.ts'

/** Words that the checks of services share. A stage completes them: `pendant la connexion`. */
export const serviceWords = {
  connecting: 'pendant la connexion',
  tls: 'pendant la négociation TLS',
  timeout: (ms: number, stage: string) => `${fr.timeout(ms)}, ${stage}`,
  reset: (stage: string) => `${fr.reset} ${stage}`,
  closed: (stage: string) => `connexion fermée par l’équipement ${stage}`,
  tooLong: (kibibytes: number) => `réponse interrompue : plus de ${kibibytes} Kio reçus`,
  lineTooLong: (bytes: number) => `réponse incompréhensible : une ligne de plus de ${bytes} octets`,
  early: 'le serveur a parlé avant la négociation TLS : la liaison n’est pas sûre',
  certificate: 'Certificat',
  exchange: 'Échange',
} as const
