const number = (value: number): string => value.toFixed(value < 10 ? 2 : 1).replace('.', ',')

/** Words of the diagnostics: lines for a person, in a fixed width. */
export const frDiagnostics = {
  busy: (count: number) => `${count} diagnostics sont déjà en cours sur cette sonde\u202f: attendez leur fin`,
  stopped: 'la sonde s’arrête',
  cancelled: 'diagnostic interrompu',
  tooLong: (seconds: number) => `le diagnostic ne s’est pas terminé en ${seconds}\u202fs`,
  failed: (reason: string) => `erreur imprévue (${reason})`,
  cut: '… (suite non montrée)',
  milliseconds: (ms: number) => `${number(ms)} ms`,
  ping: {
    towards: (asked: string, address: string) =>
      asked === address ? `Ping de ${address}` : `Ping de ${asked} (${address})`,
    echo: (rank: number, ms: number) => `écho ${String(rank).padStart(2)}  ${number(ms).padStart(9)} ms`,
    silent: (rank: number) => `écho ${String(rank).padStart(2)}  pas de réponse`,
    sum: (sent: number, received: number) =>
      `${sent} envoyé${sent > 1 ? 's' : ''}, ${received} reçu${received > 1 ? 's' : ''}, ${Math.round(((sent - received) / sent) * 100)}\u202f% de perte`,
    times: (min: number, mean: number, max: number) =>
      `min ${number(min)} ms, moyenne ${number(mean)} ms, max ${number(max)} ms`,
  },
  traceroute: {
    towards: (asked: string, address: string) =>
      asked === address ? `Chemin vers ${address}` : `Chemin vers ${asked} (${address})`,
    silent: '*  pas de réponse',
    reached: (hops: number) => `Destination atteinte en ${hops} saut${hops > 1 ? 's' : ''}`,
    lost: 'destination non atteinte\u202f: elle, ou un pare-feu sur le chemin, ne répond pas aux paquets UDP',
    denied: 'traceroute impossible sur cette machine\u202f: le système n’ouvre pas la prise réseau qu’il faut',
  },
  http: {
    withheld: '(le contenu n’est montré qu’à qui a le droit d’écrire les métriques)',
    binary: (bytes: number) => `(contenu binaire, ${bytes} octets)`,
    stages: {
      dns_time: 'résolution du nom',
      connect_time: 'connexion',
      tls_time: 'négociation TLS',
      first_byte_time: 'premier octet',
      transfer_time: 'transfert',
      total_time: 'total',
    } as Readonly<Record<string, string>>,
  },
  dns: {
    own: 'serveurs de noms de la sonde',
    asked: (type: string, name: string, server: string) => `${type} ${name}, demandé à\u202f: ${server}`,
    took: (ms: number) => `Réponse en ${number(ms)} ms`,
    none: '(aucun enregistrement)',
  },
  snmp: {
    towards: (oid: string, address: string) => `Parcours de ${oid} sur ${address}`,
    none: '(rien sous cet OID)',
    count: (count: number) => `${count} valeur${count > 1 ? 's' : ''}`,
    more: (count: number) => `${count} valeurs montrées, il y en a d’autres`,
  },
} as const
