const CONTROL = /\p{Cc}/u
/** Whole, as the parameters accept it: a browser repairs or resolves anything else in a way of its own. */
const WHOLE = /^(?:https?:\/\/|mailto:)\S+$/i

/** An address out of the console, only where its protocol is one of these (S27); null otherwise. */
export const externalLink = (url: string, protocols: readonly string[]): string | null => {
  if (!WHOLE.test(url) || CONTROL.test(url)) return null
  try {
    return protocols.includes(new URL(url).protocol) ? url : null
  } catch {
    return null
  }
}

/** A path inside the console, or null: never another host (`//evil`, `/\evil`) nor another protocol. */
export const internalLink = (link: string | undefined): string | null =>
  link !== undefined && /^\/(?![/\\])/.test(link) && !CONTROL.test(link) ? link : null
