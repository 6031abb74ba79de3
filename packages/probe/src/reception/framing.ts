/** Longest frame of syslog over TCP; what is longer is cut, and its rest skipped. */
export const FRAME_MAX = 8_192
/** Digits of an octet count. */
const COUNT_DIGITS = 5

/**
 * Splits a syslog stream into messages, whichever of both ways each comes in (RFC 6587): `length text`, or text up to a
 * line end. Memory is bounded by `FRAME_MAX` whatever arrives.
 */
export interface SyslogFraming {
  /** Messages that are complete with these bytes. */
  readonly push: (bytes: Buffer) => Buffer[]
  /** What was begun and not ended. */
  readonly rest: () => Buffer | null
}

export const createSyslogFraming = (): SyslogFraming => {
  let held: Buffer = Buffer.alloc(0)
  /** Bytes to skip of a counted message that is too long, or all up to a line end (-1). */
  let skip = 0

  const skipped = (): boolean => {
    if (skip === 0) return false
    const end = skip < 0 ? held.indexOf(LINE_END) + 1 : Math.min(skip, held.length)
    if (skip > 0) skip -= end
    else if (end > 0) skip = 0
    held = held.subarray(end === 0 ? held.length : end)
    return held.length > 0 && skip === 0
  }
  const counted = (frames: Buffer[]): boolean | null => {
    const space = held.subarray(0, COUNT_DIGITS + 1).indexOf(SPACE)
    if (space < 0) return isDigits(held) && held.length <= COUNT_DIGITS ? false : null
    if (!isDigits(held.subarray(0, space))) return null
    const length = Number(held.toString('latin1', 0, space))
    const from = space + 1
    if (held.length - from < Math.min(length, FRAME_MAX)) return false
    const end = Math.min(from + Math.min(length, FRAME_MAX), held.length)
    frames.push(Buffer.from(held.subarray(from, end)))
    held = held.subarray(end)
    skip = Math.max(0, length - FRAME_MAX)
    return true
  }
  const lined = (frames: Buffer[]): boolean => {
    const end = held.indexOf(LINE_END)
    if (end < 0 && held.length < FRAME_MAX) return false
    const cut = end < 0 || end > FRAME_MAX ? FRAME_MAX : end
    if (cut > 0) frames.push(Buffer.from(held.subarray(0, cut)))
    held = held.subarray(end < 0 || end > FRAME_MAX ? cut : cut + 1)
    skip = end < 0 || end > FRAME_MAX ? -1 : 0
    return true
  }
  return {
    push: bytes => {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const frames: Buffer[] = []
      for (;;) {
        if (skip !== 0 && !skipped()) break
        if (held.length === 0) break
        // A counted message begins with a digit that is not 0, a line with its priority.
        const first = held[0] ?? 0
        const byCount = first > ZERO && first <= NINE ? counted(frames) : null
        if (byCount === false) break
        if (byCount === null && !lined(frames)) break
      }
      // A copy: the chunk that it lies in can go.
      held = Buffer.from(held)
      return frames
    },
    rest: () => (held.length === 0 || skip !== 0 ? null : held),
  }
}

const [LINE_END, SPACE, ZERO, NINE] = [10, 32, 48, 57]
const isDigits = (bytes: Buffer): boolean => bytes.length > 0 && bytes.every(byte => byte >= ZERO && byte <= NINE)
