/** Results of directories (RFC 4511, appendix A) in words. */
const RESULTS: Readonly<Record<number, string>> = {
  1: 'opération refusée, une authentification est souvent nécessaire',
  2: 'le serveur ne comprend pas cette demande',
  3: 'le serveur a dépassé son propre délai',
  7: 'cette authentification n’est pas prise en charge',
  8: 'le serveur exige une authentification plus forte',
  11: 'limite du serveur dépassée',
  12: 'extension non prise en charge',
  13: 'le serveur exige une liaison chiffrée',
  16: 'attribut inconnu',
  32: 'base de recherche introuvable',
  34: 'nom d’entrée (DN) mal écrit',
  48: 'le serveur refuse la connexion anonyme ou ce mode d’authentification',
  49: 'nom ou mot de passe refusé',
  50: 'droits insuffisants',
  51: 'le serveur est occupé',
  52: 'le serveur n’est pas disponible',
  53: 'le serveur refuse cette opération',
  80: 'erreur interne du serveur',
}

/** Why Active Directory refuses a bind, by the number in its text (`data 52e`). */
const ACTIVE_DIRECTORY: Readonly<Record<string, string>> = {
  '525': 'compte introuvable',
  '52e': 'mot de passe refusé',
  '530': 'connexion interdite à cette heure',
  '531': 'connexion interdite depuis cette machine',
  '532': 'mot de passe expiré',
  '533': 'compte désactivé',
  '701': 'compte expiré',
  '773': 'le mot de passe doit être changé',
  '775': 'compte verrouillé',
}

/** `nom ou mot de passe refusé (compte verrouillé, code 49)`, then what the server says of it. */
export const resultText = (code: number, said: string): string => {
  const precise = ACTIVE_DIRECTORY[/\bdata ([0-9a-f]{3})\b/u.exec(said)?.[1] ?? '']
  const text = RESULTS[code] ?? 'refus du serveur'
  const reason = `${text} (${precise === undefined ? '' : `${precise}, `}code ${code})`
  return said === '' ? reason : `${reason} : ${said}`
}
