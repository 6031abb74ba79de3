import type { Operation } from './document.ts'

/** Where the commands read the credentials from: nothing secret is written into them. */
export const TOKEN_VARIABLE = '$NARVAL_TOKEN'
export const XSRF_VARIABLE = '$XSRF_TOKEN'

/** A text in single quotes, for any shell of Unix. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** On https the browser is promised that no other host has set the cookie, by its name. */
const cookieName = (origin: string): string => (origin.startsWith('https:') ? '__Host-XSRF-TOKEN' : 'XSRF-TOKEN')

/** The headers of a call made with a session, or without any account. */
export const xsrfArguments = (origin: string): string[] => [
  `-b "${cookieName(origin)}=${XSRF_VARIABLE}"`,
  `-H "X-XSRF-TOKEN: ${XSRF_VARIABLE}"`,
]
export const TOKEN_ARGUMENT = `-H "Authorization: Bearer ${TOKEN_VARIABLE}"`

/** The lines of a command, the first one on its own. */
export const commandOf = (...lines: readonly string[]): string => lines.join(' \\\n  ')

/**
 * A command that makes the call with the document's examples; null for what only a probe can sign. An API token is
 * preferred, since it needs no XSRF header.
 */
export const curlOf = (operation: Operation, origin: string): string | null => {
  const { method, credentials, example } = operation
  if (credentials.some(way => way.includes('probe'))) return null
  const way = credentials.find(one => one.includes('apiToken')) ?? credentials[0] ?? []
  return commandOf(
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(origin + addressOf(operation))}`,
    ...(way.includes('apiToken') || way.includes('session') ? [TOKEN_ARGUMENT] : []),
    ...(way.includes('xsrf') ? xsrfArguments(origin) : []),
    ...(example === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(bodyText(example))}`]),
  )
}

const addressOf = ({ path, parameters }: Operation): string => {
  const examples = new Map(parameters.map(({ name, example }) => [name, example]))
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    examples.get(name) === undefined ? whole : encodeURIComponent(String(examples.get(name))),
  )
  const query = parameters
    .filter(parameter => parameter.in === 'query' && parameter.example !== undefined)
    .map(
      ({ name, example }) =>
        `${name}=${encodeURIComponent(String(example)).replaceAll('%3A', ':').replaceAll('%2C', ',')}`,
    )
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

const SHORT = 60
/** On one line while it is short. */
const bodyText = (example: unknown): string => {
  const short = JSON.stringify(example)
  return short.length <= SHORT ? short : JSON.stringify(example, null, 2)
}
