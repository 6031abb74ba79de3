/** The id that a part of an address names; null when it names none (missing, mistyped, longer than ten digits). */
export const idOf = (text: string | null | undefined): number | null =>
  text !== null && text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null

/** By name; null or an empty text takes one out. */
export type AddressChanges = Readonly<Record<string, string | null>>

/** Parameters with some of them changed; the others stay as they are. */
export const changedParams = (params: URLSearchParams, changes: AddressChanges): URLSearchParams => {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes))
    value === null || value === '' ? next.delete(name) : next.set(name, value)
  return next
}
