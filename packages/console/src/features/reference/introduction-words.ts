import { commandOf, xsrfArguments } from './curl.ts'

const JAR = 'narval.cookies'
const READ_XSRF = `XSRF_TOKEN=$(awk '/XSRF-TOKEN/ { print $7 }' ${JAR})`

/** Opens a session from a shell: the XSRF token changes with the session, hence read again. */
const sessionCommands = (origin: string): string => {
  const body = '{ "login": "marie.durand", "password": "…", "uuid": "3f2b8c1e-6d4a-4f7b-9a55-0c1d2e3f4a5b" }'
  return [
    `curl -s -o /dev/null -c ${JAR} '${origin}/api/Parameter/Public'`,
    READ_XSRF,
    commandOf(
      `NARVAL_TOKEN=$(curl -s -c ${JAR} '${origin}/api/Authentication/Login'`,
      ...xsrfArguments(origin),
      `-H 'Content-Type: application/json'`,
      `-d '${body}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`,
    ),
    READ_XSRF,
  ].join('\n')
}

const PROBLEM = `HTTP/1.1 400 Bad Request
Content-Type: application/problem+json

{
  "status": 400,
  "title": "Demande incorrecte",
  "detail": "name\u202f: Champ requis.",
  "errors": ["name\u202f: Champ requis."],
  "fields": { "name": "Champ requis" }
}`

/** Texts of the introduction. */
export const introductionWords = {
  authentication: {
    title: 'Authentification',
    text: (minutes: number) =>
      `Chaque appel porte l’en-tête «\u202fAuthorization: Bearer …\u202f». Deux sortes de jetons conviennent, avec les droits de leur compte (un jeton d’accès vit ${minutes} minutes)\u202f:`,
    session:
      'le jeton d’accès d’une session, que donne Login (POST /api/Authentication/Login) et que renouvelle Refresh\u202f;',
    token: 'un jeton d’API, pour les scripts.',
  },
  scripts: {
    title: 'Jetons d’API pour les scripts',
    text: (prefix: string, days: number) =>
      `Un jeton d’API («\u202f${prefix}…\u202f») a un nom, une fin (${days} jours au plus) et tout ou partie des droits de son compte. Aucun navigateur ne l’ajoute de lui-même\u202f: il se passe d’en-tête XSRF. Ce qui touche au compte lui-même lui est refusé. On le crée par`,
    command: 'appel avec un jeton d’API',
  },
  session: {
    title: 'Sessions et en-tête X-XSRF-TOKEN',
    text: 'Tout GET pose un cookie XSRF-TOKEN (__Host-XSRF-TOKEN en https). Un POST, un PUT ou un DELETE fait avec une session, Login et Refresh compris, renvoie sa valeur dans l’en-tête X-XSRF-TOKEN avec le cookie\u202f; sinon c’est 403. Le jeton XSRF change avec la session.',
    command: 'ouverture d’une session',
    commands: sessionCommands,
  },
  problems: {
    title: 'Refus et erreurs',
    text: 'Toujours en application/problem+json (RFC 9457), avec des phrases françaises à montrer telles quelles\u202f:',
    example: PROBLEM,
    more: '«\u202ffields\u202f» place chaque phrase à côté de son champ\u202f; «\u202fcurrent\u202f» est la fiche plus récente d’un conflit (409)\u202f; 429 et 503 disent dans Retry-After combien de secondes attendre\u202f; «\u202freference\u202f» retrouve une erreur 500 dans le journal du serveur.',
  },
  lists: {
    title: 'Listes\u202f: DataTables et Select2',
    datatable: (max: string) =>
      `Les contrôleurs en «\u202fDatatable\u202f» parlent le protocole de DataTables. GET donne la première page\u202f; PUT prend draw, start, length (${max} lignes au plus, −1 vaut ce maximum), search.value, order et columns, avec en plus filters, des filtres par nom. La réponse a draw, recordsTotal, recordsFiltered et data. La recherche ignore la casse et les accents.`,
    select2: (size: number) =>
      `Les adresses en «\u202fSelect2D\u202f» parlent celui de Select2\u202f: ?term= filtre, ?page= avance par ${size}\u202f; la réponse a results (id, text) et pagination.more.`,
  },
  dates: {
    title: 'Dates et évolution',
    text: 'Les dates sont en UTC, en ISO 8601 avec le suffixe Z\u202f:',
    example: '2026-01-15T08:30:00.000Z',
    epoch: 'Les colonnes des séries et les échanges des sondes comptent en millisecondes depuis 1970.',
    evolution:
      'Une réponse peut gagner des champs d’une version à l’autre\u202f: ignorez ceux que vous ne connaissez pas.',
  },
} as const
