import type { CredentialKind } from '@narval/contracts'

const CREDENTIAL_NAMES: Readonly<Record<CredentialKind, string>> = {
  http: 'HTTP',
  ldap: 'LDAP',
  mail: 'de messagerie',
  snmp: 'SNMP',
  sql: 'SQL',
}

/** What the probe says to people: causes of failed checks, faults of configuration, and what it logs. */
const decimal = (value: number, digits: number): string =>
  value.toLocaleString('fr-FR', { maximumFractionDigits: digits })

/** `2 s`, `1,5 s`, `300 ms`. */
export const duration = (ms: number): string =>
  ms < 1_000 ? `${decimal(ms, 0)} ms` : ms < 120_000 ? `${decimal(ms / 1_000, 1)} s` : `${decimal(ms / 60_000, 0)} min`

/** `21/11/2026`, in UTC: the day a certificate is dated by. */
export const dayText = (ms: number): string => new Date(ms).toLocaleDateString('fr-FR', { timeZone: 'UTC' })

/** `21/11/2026 14:02:03,125 UTC`. */
export const instantText = (ms: number): string =>
  `${dayText(ms)} ${new Date(ms).toISOString().slice(11, 23).replace('.', ',')} UTC`

const days = (count: number): string => (count === 1 ? '1 jour' : `${decimal(count, 0)} jours`)

export const fr = {
  timeout: (ms: number) => `délai dépassé après ${duration(ms)}`,
  noEcho: (count: number, ms: number) =>
    count === 1 ? `aucune réponse à l’écho en ${duration(ms)}` : `aucune réponse aux ${count} échos en ${duration(ms)}`,
  refused: (target: string) => `connexion refusée par ${target}`,
  reset: 'connexion coupée par l’équipement',
  closed: 'connexion fermée par l’équipement avant la réponse',
  hostUnreachable: (address: string) => `équipement injoignable : aucune route vers ${address}`,
  networkUnreachable: (address: string) => `réseau injoignable : la sonde n’a pas de route vers ${address}`,
  unreachableBy: (reason: string) => `équipement injoignable : ${reason}`,
  icmp: {
    network: 'un routeur répond que le réseau est injoignable',
    host: 'un routeur répond que l’équipement est injoignable',
    prohibited: 'un pare-feu interdit le passage',
    port: 'l’équipement refuse ce protocole',
    ttl: 'trop de routeurs traversés (boucle de routage probable)',
    tooBig: 'paquet trop grand pour le réseau',
    other: 'un routeur refuse le paquet',
  },
  sendDenied: (address: string) => `le système de la sonde interdit l’envoi vers ${address} (pare-feu local ?)`,
  sendFailed: (code: string) => `envoi impossible depuis la sonde (erreur système ${code})`,
  packetTooBig: (size: number) => `paquet de ${size} octets trop grand pour le réseau`,
  unknownName: (name: string) => `nom introuvable : ${name}`,
  resolverSilent: (name: string) => `le serveur de noms ne répond pas pour ${name}`,
  nameWithoutAddress: (name: string, family?: 4 | 6) =>
    family === undefined ? `le nom ${name} n’a pas d’adresse` : `${name} n’a pas d’adresse IPv${family}`,
  tooManyFiles: 'la sonde a trop de connexions ouvertes',
  internal: (code: string) => `erreur interne de la sonde (${code})`,
  neverEnded: (ms: number) => `le contrôle ne s’est pas terminé après ${duration(ms)}`,
  stopped: 'la sonde s’arrête',
  badParameters: (fields: string) => `paramètres du contrôle incorrects : ${fields}`,
  unknownKind: (kind: string) => `cette version de la sonde ne connaît pas le contrôle « ${kind} »`,
  denied: {
    loopback: (address: string) => `adresse de bouclage refusée : ${address}`,
    loopbackProbe: (address: string) =>
      `adresse de bouclage refusée : ${address} (cette sonde ne l’autorise pas, voir NARVAL_PROBE_LOOPBACK)`,
    linkLocal: (address: string) => `adresse de lien local refusée : ${address}`,
    metadata: (address: string) => `adresse de service de l’hébergeur refusée : ${address}`,
    unspecified: (address: string) => `adresse non définie refusée : ${address}`,
    multicast: (address: string) => `adresse de multidiffusion refusée : ${address}`,
    reserved: (address: string) => `adresse réservée refusée : ${address}`,
    ownPort: 'le port du serveur Narval ne peut pas être contrôlé (sauf sa page de santé par la sonde locale)',
    scheme: (scheme: string) => `adresse refusée : seuls http et https sont acceptés, pas « ${scheme} »`,
    url: 'adresse web incorrecte',
    icmp: 'la sonde n’a pas le droit d’envoyer des échos ICMP : donnez-lui CAP_NET_RAW, élargissez net.ipv4.ping_group_range, ou installez fping',
  },
  tls: {
    expired: (daysAgo: number) =>
      daysAgo < 1 ? 'certificat expiré aujourd’hui' : `certificat expiré depuis ${days(daysAgo)}`,
    notYet: 'certificat pas encore valable',
    selfSigned: 'certificat auto-signé',
    unknownIssuer: 'certificat émis par une autorité inconnue',
    wrongName: (name: string) => `le certificat n’est pas au nom de ${name}`,
    revoked: 'certificat révoqué',
    invalid: (code: string) => `certificat refusé (${code})`,
    handshake: 'négociation TLS impossible : le service ne parle pas TLS ou refuse nos versions',
  },
  http: {
    status: (code: number, expected: string) => `code de réponse ${code}, attendu ${expected}`,
    text: (text: string) => `texte attendu absent de la réponse : « ${text} »`,
    textInPart: (text: string, mebibytes: number) =>
      `texte attendu absent du premier ${mebibytes} Mio de la réponse : « ${text} »`,
    redirects: (count: number) => `plus de ${count} redirections`,
    badRedirect: 'redirection vers une adresse incorrecte',
    badAnswer: 'la réponse n’est pas du HTTP correct',
    sent: (code: number) => `Identifiants refusés (code de réponse ${code})`,
    withheld: (code: number) =>
      `code de réponse ${code} après une redirection : les identifiants de l’équipement n’y sont pas envoyés`,
    elsewhere: (name: string) =>
      `les identifiants de l’équipement ne sont envoyés qu'à son adresse, et ${name} n’y mène pas`,
  },
  credentials: {
    missing: (kind: CredentialKind) =>
      `Aucun identifiant ${CREDENTIAL_NAMES[kind]} : l’équipement n’en a pas et n’en hérite pas.`,
    unreadable: 'Identifiants illisibles : la clé des secrets manque ou n’est pas la bonne.',
  },
  tcp: {
    banner: (expected: string) => `texte d’accueil inattendu : « ${expected} » n’y est pas`,
    noBanner: (expected: string, ms: number) => `texte d’accueil « ${expected} » non reçu en ${duration(ms)}`,
  },
  system: {
    linuxOnly: 'ce contrôle n’est disponible que sous Linux',
    unreadable: (file: string) => `lecture impossible de ${file}`,
  },
  faults: {
    heading: 'La sonde ne peut pas démarrer :',
    noServer: 'NARVAL_SERVER manque : l’adresse du serveur, par exemple https://narval.exemple.fr',
    badServer: (text: string) =>
      `NARVAL_SERVER est incorrect : « ${text} » (attendu http://… ou https://…, sans chemin)`,
    badData: (folder: string, code: string) =>
      `NARVAL_PROBE_DATA : le dossier ${folder} n’est pas utilisable (${code})`,
    badName: 'NARVAL_PROBE_NAME est incorrect : de 1 à 100 caractères, sans caractère de contrôle',
    badFlag: (name: string, text: string) => `${name} est incorrect : « ${text} » (attendu 0 ou 1)`,
    badNumber: (name: string, text: string, min: number, max: number) =>
      `${name} est incorrect : « ${text} » (attendu un nombre entier de ${min} à ${max})`,
    badLevel: (text: string) =>
      `NARVAL_LOG est incorrect : « ${text} » (attendu trace, debug, info, warn, error ou silent)`,
    badConfigFile: (file: string, reason: string) => `le fichier de configuration ${file} est illisible : ${reason}`,
    unknownKey: (file: string, key: string) =>
      `le fichier de configuration ${file} contient un réglage inconnu : ${key}`,
    notText: (file: string, key: string) =>
      `le fichier de configuration ${file} : ${key} doit être un texte ou un nombre`,
    badCodeFile: (file: string, code: string) => `NARVAL_ENROLL_CODE_FILE : le fichier ${file} est illisible (${code})`,
    badCode: 'NARVAL_ENROLL_CODE est incorrect : recopiez le code entier donné par la console (secret.empreinte)',
    noCode: 'la sonde n’est pas enrôlée : donnez NARVAL_ENROLL_CODE ou NARVAL_ENROLL_CODE_FILE',
    badCa: (file: string, code: string) => `NARVAL_PROBE_CA : le fichier ${file} est illisible (${code})`,
    locked: (folder: string, pid: number) =>
      `le dossier ${folder} est déjà utilisé par une autre sonde (processus ${pid})`,
    lockedUnknown: (folder: string) => `le dossier ${folder} est déjà utilisé par une autre sonde`,
    badIdentity: (file: string) =>
      `l’identité de la sonde (${file}) est illisible : rétablissez-la, ou videz le dossier et enrôlez de nouveau`,
    otherServer:
      'cette sonde est déjà enrôlée auprès d’un autre serveur : le code donné porte une autre empreinte. Videz son dossier de données pour l’enrôler de nouveau',
    enrolRefused: (reason: string) => `enrôlement refusé par le serveur : ${reason}`,
    wrongKey:
      'la clé du serveur ne correspond pas à l’empreinte du code d’enrôlement : ce n’est pas le serveur attendu, rien ne lui a été confié d’autre que ce code',
    spool: (reason: string) => `la file des résultats ne peut pas être ouverte : ${reason}`,
  },
  link: {
    refused: 'connexion refusée par le serveur',
    timeout: (ms: number) => `le serveur n’a pas répondu en ${duration(ms)}`,
    tooLong: 'réponse du serveur trop longue',
    cut: 'connexion coupée par le serveur',
    failed: (reason: string) => `serveur injoignable : ${reason}`,
    unsigned: (status: number) => `réponse ${status} non signée : elle ne vient pas du serveur attendu`,
    wrongKey: 'la signature du serveur n’est pas celle de la clé apprise à l’enrôlement : plus rien ne lui est envoyé',
    badReply: 'réponse du serveur incompréhensible',
    unauthorised: 'le serveur ne reconnaît pas cette sonde (signature, horloge ou enrôlement)',
    clock: (ms: number) => `l’horloge de la sonde diffère de celle du serveur de ${duration(Math.abs(ms))}`,
    forbidden: 'le serveur refuse cette sonde',
    status: (status: number) => `réponse ${status} du serveur`,
    pending: 'la sonde attend d’être approuvée dans la console',
    revoked: 'la sonde a été révoquée : elle ne contrôle et n’envoie plus rien',
    approved: 'la sonde est approuvée',
    up: 'serveur joint',
    configured: 'configuration reçue',
    badConfiguration: 'configuration incompréhensible : l’ancienne reste en vigueur',
    enrolled: 'sonde enrôlée',
    ownKey: 'empreinte de la clé de la sonde, à comparer avec celle que montre la console avant de l’approuver',
    rotated: 'la clé de la sonde est renouvelée',
    notRotated: 'la clé de la sonde n’est pas renouvelée',
    quarantined: 'lot refusé par le serveur, mis de côté',
  },
  orders: {
    tooMany: 'la sonde exécute déjà trop d’ordres à la fois : recommencez dans un instant',
    unanswered: 'la réponse à un ordre n’a pu être remise au serveur',
  },
  spool: {
    dropped: 'file pleine : les résultats les plus anciens ont été perdus',
    diskFull: 'disque plein : les résultats attendent en mémoire',
    failed: 'la file des résultats ne peut plus être écrite : la sonde s’arrête',
    notDurable: 'la base ne garantit pas l’écriture sur disque (synchronous=FULL refusé)',
    newer: 'la file a été écrite par une version plus récente de la sonde',
  },
  started: 'sonde démarrée',
  stopping: 'arrêt demandé',
  ended: 'sonde arrêtée',
  fault: 'erreur imprévue : la sonde s’arrête',
  ping: {
    means: 'moyen d’envoyer les échos ICMP',
  },
} as const
