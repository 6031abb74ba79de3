/** What the probe says of discoveries to people. */
export const frDiscovery = {
  busy: 'la sonde mène déjà une découverte\u202f: celle-ci attendra son tour',
  cancelled: 'découverte arrêtée',
  stopped: 'la sonde s’est arrêtée pendant la découverte',
  tooLong: 'la découverte n’a pas fini dans le temps prévu\u202f: la fin de la plage n’a pas été parcourue',
  failed: (reason: string) => `la découverte a échoué\u202f: ${reason}`,
  badRange: 'la plage reçue est illisible',
  lost: 'le serveur ne prend plus les résultats de la découverte\u202f: elle est arrêtée',
  noPing: 'le système de la sonde n’autorise pas le ping\u202f: il n’a pas été essayé',
  noSnmp: 'aucun identifiant SNMP n’est donné à ce site\u202f: SNMP et LLDP n’ont pas été essayés',
  unreadableSnmp:
    'l’identifiant SNMP de ce site ne peut être lu par le serveur\u202f: SNMP et LLDP n’ont pas été essayés',
  noTraceroute: 'la sonde ne peut pas tracer les routes sur ce système',
  refused: (count: number, reason: string) =>
    count === 1
      ? `une adresse n’a pas été sollicitée\u202f: ${reason}`
      : `${count} adresses n’ont pas été sollicitées ; la première\u202f: ${reason}`,
} as const
