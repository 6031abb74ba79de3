const two = (value: number): string => String(value).padStart(2, '0')

/** The reader's clocks at an instant, as a field of date and time takes it: `2026-11-20T14:30`. */
export const toLocalInput = (ms: number): string => {
  const at = new Date(ms)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The instant that the reader's clocks tell; null for what is no date. */
export const fromLocalInput = (text: string): string | null => {
  const ms = new Date(text).getTime()
  return text === '' || Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
