import { duration } from './fr.ts'

/** What the probe says to who installs it: its command line, its own examination, faults of the machine it stands on. */
const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  EACCES: 'droits insuffisants',
  EPERM: 'droits insuffisants',
  EROFS: 'système de fichiers en lecture seule',
  ENOSPC: 'disque plein',
  EDQUOT: 'quota de disque atteint',
  ENOENT: 'introuvable',
  ENOTDIR: 'ce n’est pas un dossier',
  EEXIST: 'ce n’est pas un dossier',
  EISDIR: 'c’est un dossier',
  ELOOP: 'liens symboliques en boucle',
  EIO: 'erreur d’entrée-sortie du disque',
}

/** An error number of the system in words, with its code for who searches. */
export const systemWords = (code: string): string => {
  const words = SYSTEM_WORDS[code]
  return words === undefined ? code : `${words}, ${code}`
}

const mebibytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576).toLocaleString('fr-FR')} Mio`
const count = (number: number): string => number.toLocaleString('fr-FR')

/** What keeps a connection to the server from being made, by the code of the error. */
const LINK_WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'serveur injoignable : son nom est introuvable (DNS, ou faute de frappe ?)',
  EAI_AGAIN: 'serveur injoignable : le serveur de noms ne répond pas',
  EHOSTUNREACH: 'serveur injoignable : aucune route vers sa machine',
  ENETUNREACH: 'serveur injoignable : la sonde n’a pas de réseau',
  ETIMEDOUT: 'serveur injoignable : délai dépassé (pare-feu ?)',
  EPROTO: 'le serveur ne parle pas TLS à cette adresse : essayez http://, ou un autre port',
  ERR_SSL_WRONG_VERSION_NUMBER: 'le serveur ne parle pas TLS à cette adresse : essayez http://, ou un autre port',
  HPE_INVALID_CONSTANT: 'le serveur ne parle pas HTTP à cette adresse : essayez https://, ou un autre port',
  CERT_HAS_EXPIRED: 'certificat du serveur expiré (ou horloge de la sonde en avance)',
  CERT_NOT_YET_VALID: 'certificat du serveur pas encore valable (ou horloge de la sonde en retard)',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificat du serveur auto-signé : donnez-le par le réglage ca',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificat du serveur émis par une autorité privée : donnez-la par le réglage ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificat du serveur émis par une autorité inconnue : donnez-la par le réglage ca',
  UNABLE_TO_GET_ISSUER_CERT: 'certificat du serveur émis par une autorité inconnue : donnez-la par le réglage ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'certificat du serveur émis par une autorité inconnue : donnez-la par le réglage ca',
  ERR_TLS_CERT_ALTNAME_INVALID: 'le certificat du serveur n’est pas à ce nom : prenez l’adresse qu’il porte',
}

export const frInstall = {
  link: LINK_WORDS,
  help: `narval-probe : sonde de Narval, interroge les équipements et envoie les mesures au serveur.

Usage : narval-probe [--config fichier] [--check | --version | --help]

  --config fichier  fichier de configuration JSON (ou la variable NARVAL_PROBE_CONFIG)
  --check           dit tout ce qui va et ce qui manque, puis s’arrête : code 0 si la sonde peut travailler, 1 sinon
  --version         dit la version
  --help            dit ceci

Réglages, clé du fichier et variable d’environnement (l’environnement l’emporte) :

  server           NARVAL_SERVER            adresse du serveur, https://narval.exemple.fr (obligatoire)
  enrollCode       NARVAL_ENROLL_CODE       code d’enrôlement, au premier démarrage
  enrollCodeFile   NARVAL_ENROLL_CODE_FILE  fichier qui contient ce code
  data             NARVAL_PROBE_DATA        dossier de données
  name             NARVAL_PROBE_NAME        nom proposé à la console (défaut : celui de la machine)
  ca               NARVAL_PROBE_CA          certificats PEM qui signent celui du serveur (défaut : ceux du système)
  loopback         NARVAL_PROBE_LOOPBACK    1 : autorise les contrôles de 127.0.0.1 et ::1 (défaut : 0)
  log              NARVAL_LOG               trace, debug, info, warn, error ou silent (défaut : info)
  spoolMegabytes   NARVAL_PROBE_SPOOL_MB    taille de la file sur disque, en Mio (défaut : 2048)
  trapPort         NARVAL_PROBE_TRAP_PORT   port UDP des traps SNMP, 162 d’ordinaire (défaut : 0, aucun)
  syslogPort       NARVAL_PROBE_SYSLOG_PORT port UDP et TCP de syslog, 514 d’ordinaire (défaut : 0, aucun)

Codes de sortie : 0 arrêt demandé, 2 quelqu’un doit corriger quelque chose, 3 défaut qu’un redémarrage peut réparer.
`,
  wrongArguments: (args: string) => `Arguments incompris : ${args}. Essayez narval-probe --help.`,
  fromFile: (file: string, key: string) => `(clé « ${key} » du fichier ${file})`,
  notJson: 'ce n’est pas du JSON correct',
  notObject: 'un objet JSON est attendu',
  otherOwner: (file: string) =>
    `${file} appartient à un autre utilisateur : la sonde a sans doute démarré une fois sous un autre compte. Rendez-lui le dossier (chown -R)`,
  notCertificate: (file: string) => `NARVAL_PROBE_CA : ${file} ne contient pas de certificat PEM`,
  damaged: 'la file des résultats était endommagée : elle est mise de côté, une nouvelle commence',
  check: {
    title: (version: string) => `narval-probe ${version}`,
    words: { ok: 'ok       ', warning: 'ATTENTION', fault: 'FAUTE    ' },
    good: 'La sonde peut travailler.',
    bad: (faults: number) => (faults === 1 ? 'Une faute à corriger.' : `${faults} fautes à corriger.`),
    folder: (folder: string, free: number) => `dossier de données ${folder} : utilisable, ${mebibytes(free)} libres`,
    littleRoom: (free: number, wanted: number) =>
      `il ne reste que ${mebibytes(free)} sur le disque, la file peut en demander ${mebibytes(wanted)} : elle tiendra moins longtemps sans le serveur (réglage spoolMegabytes)`,
    writeFailed: (folder: string, code: string) => `le dossier ${folder} ne peut pas être écrit (${systemWords(code)})`,
    running: (pid: number) => `une sonde travaille déjà sur ce dossier (processus ${pid})`,
    enrolled: (probe: number, fingerprint: string) => `enrôlée : sonde n° ${probe}, serveur ${fingerprint}`,
    willEnrol: 'pas encore enrôlée : elle le sera au démarrage, avec le code donné',
    openIdentity: (file: string) => `${file} est lisible par d’autres utilisateurs : chmod 600 ${file}`,
    queueEmpty: 'file des résultats : vide',
    queue: (results: number, oldestMs: number, bytes: number) =>
      `file des résultats : ${count(results)} en attente depuis ${duration(oldestMs)} (${mebibytes(bytes)})`,
    quarantined: (batches: number) => `${count(batches)} lots refusés par le serveur sont mis de côté dans la file`,
    echo: (family: number, means: string, address: string, ms: number) =>
      `ping IPv${family} : ${means}, écho de ${address} en ${ms.toLocaleString('fr-FR', { maximumFractionDigits: 2 })} ms`,
    noEcho: (family: number, means: string, address: string) =>
      `ping IPv${family} : ${means}, mais ${address} ne répond pas`,
    icmp: (family: number, means: string) => `ping IPv${family} : ${means}`,
    means: {
      datagram: 'socket ICMP ordinaire (net.ipv4.ping_group_range)',
      raw: 'socket brut (CAP_NET_RAW)',
      fping: 'par le programme fping',
    },
    noPing: (family: number) => `ping IPv${family} impossible`,
    pingGroups: (range: string, groups: string) =>
      `groupes autorisés au ping (net.ipv4.ping_group_range) : ${range} ; groupes de ce processus : ${groups}`,
    reached: (server: string, ms: number) => `serveur ${server} : joint en ${duration(ms)}`,
    unreached: (server: string, reason: string) => `serveur ${server} : ${reason}`,
    oddAnswer: (server: string, status: number) =>
      `serveur ${server} : réponse ${status} inattendue ; un mandataire répond peut-être à sa place`,
    clock: (ms: number) => `horloge : à ${duration(Math.abs(ms))} de celle du serveur`,
    clockFar: (ms: number) =>
      `horloge : ${duration(Math.abs(ms))} ${ms > 0 ? 'en avance sur' : 'en retard sur'} celle du serveur, qui refuse tout au-delà de 5 min ; réglez-la (chrony, systemd-timesyncd)`,
    known: 'le serveur reconnaît cette sonde, et elle reconnaît sa clé',
  },
  start: {
    skew: (ms: number) =>
      `l’horloge de la sonde a ${duration(Math.abs(ms))} ${ms > 0 ? 'd’avance sur' : 'de retard sur'} celle du serveur : réglez-la (chrony, systemd-timesyncd)`,
  },
} as const
