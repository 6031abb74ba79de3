/** A cell that a spreadsheet would run as a formula is made a text (S45). */
const FORMULA = /^[=+\-@\t\r]/

const cell = (value: string | number | null): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value).replace('.', ',')
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A table as French spreadsheets read it: semicolons, decimal commas, CRLF, a byte order mark for the accents. */
export const toCsv = (header: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string =>
  `\uFEFF${[header, ...rows].map(row => row.map(cell).join(';')).join('\r\n')}\r\n`
