import * as z from 'zod/mini'
import './messages.ts'

/** Building blocks shared by the entities' schemas. */
export const idValue = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
/** An id in a path: digits only, so that `0`, `-1`, `1e309`, `1,2` and `:key` are refused (S36). */
export const idText = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,9}$/, 'Identifiant incorrect')),
  z.transform((text: string) => Number(text)),
)
export const idParams = z.object({ id: idText })

const CONTROL = /^[^\p{Cc}]*$/u
/** One line of text, trimmed, without control characters. */
export const line = (maxLength: number) =>
  z
    .string()
    .check(z.trim(), z.maxLength(maxLength), z.regex(CONTROL, 'Les caractères de contrôle ne sont pas acceptés'))
export const requiredLine = (maxLength: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1),
      z.maxLength(maxLength),
      z.regex(CONTROL, 'Les caractères de contrôle ne sont pas acceptés'),
    )
/** Text of several lines. */
export const paragraph = (maxLength: number) =>
  z.string().check(
    z.maxLength(maxLength),
    z.refine(text => CONTROL.test(text.replace(/[\n\r\t]/g, '')), 'Les caractères de contrôle ne sont pas acceptés'),
  )

/** Those that most people mean: to ask `Intl` of one takes a thousand times as long, and rules bear some. */
const TIME_ZONES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('timeZone'))
const isTimeZone = (zone: string): boolean => {
  if (TIME_ZONES.has(zone)) return true
  try {
    new Intl.DateTimeFormat('fr', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
/** A time zone by its IANA name. */
export const timeZone = requiredLine(64).check(z.refine(isTimeZone, 'Fuseau horaire inconnu'))

export const instant = z.iso.datetime()
export const nullableId = z.nullable(idValue)

/** What every entity carries. */
export const stamps = { id: idValue, createdAt: instant, updatedAt: instant, updatedBy: z.nullable(z.string()) }
/** An update names the version it was based on: a stale one gets 409 with the newer. */
export const basedOn = { updatedAt: instant }

export const lastUpdate = z.object({ lastUpdate: z.nullable(instant) })

/** Bytes as they came: what only a `raw` route has. */
export const rawBytes = z.custom<Uint8Array>(value => value instanceof Uint8Array, 'Un fichier est attendu')
