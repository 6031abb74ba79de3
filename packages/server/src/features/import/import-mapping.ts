import { createHash } from 'node:crypto'
import { fold, type ImportField, type ImportInput } from '@narval/contracts'
import { invalid } from '../../http/refusal.ts'

/** Other titles under which files call our fields; ours are known by label and by key. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  id: ['id', 'numero'],
  name: ['nom de l equipement', 'nom du site', 'designation', 'libelle', 'hostname', 'metrique'],
  address: ['adresse ip', 'ip', 'adresse reseau', 'rue'],
  code: ['code site', 'code du site'],
  site: ['code site', 'nom du site'],
  postalCode: ['cp', 'code postal'],
  contactPhone: ['tel', 'telephone du contact'],
  contactEmail: ['email', 'mail', 'courriel', 'adresse e mail'],
  contactName: ['contact'],
  timeZone: ['fuseau'],
  probe: ['sonde', 'collecteur'],
  parent: ['parent', 'site pere'],
  tags: ['tags', 'etiquette'],
  enabled: ['actif', 'active', 'activite'],
  manufacturer: ['constructeur', 'marque'],
  model: ['modele materiel'],
  models: ['modele de supervision', 'modeles'],
  parents: ['parent', 'equipement parent', 'parents'],
  type: ['type de site', 'type d equipement', 'categorie'],
}

/** A title as it is compared: without case, accents, or what stands between words. */
const plain = (title: string): string =>
  fold(title)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** The field of each column, null where none fits; each field once. Labels go before keys, keys before other titles. */
export const guessMapping = (header: readonly string[], fields: readonly ImportField[]): (string | null)[] => {
  const guessed: (string | null)[] = header.map(() => null)
  const titles = header.map(plain)
  const rounds: ((field: ImportField) => readonly string[])[] = [
    field => [plain(field.label)],
    field => [plain(field.field)],
    field => ALIASES[field.field] ?? [],
  ]
  for (const round of rounds) {
    for (const field of fields) {
      if (guessed.includes(field.field)) continue
      const at = titles.findIndex(
        (title, index) => guessed[index] === null && title !== '' && round(field).includes(title),
      )
      if (at >= 0) guessed[at] = field.field
    }
  }
  return guessed
}

/** What a mapping is remembered by: the line of titles, however they are written. */
export const headerKey = (header: readonly string[]): string =>
  createHash('sha256').update(header.map(plain).join('\n')).digest('hex')

/** A remembered mapping as fields by column; what is no field any more is left out. */
export const rememberedMapping = (text: string, width: number, fields: readonly ImportField[]): (string | null)[] => {
  const kept: unknown = JSON.parse(text)
  const known = new Set(fields.map(field => field.field))
  const names = new Map(typeof kept === 'object' && kept !== null ? Object.entries(kept) : [])
  return Array.from({ length: width }, (_, column) => {
    const name: unknown = names.get(String(column))
    return typeof name === 'string' && known.has(name) ? name : null
  })
}

/** Refuses a mapping that can not be read: columns or fields that there are not, one field twice, one that needs another. */
export const refuseMapping = (input: ImportInput, width: number, fields: readonly ImportField[]): void => {
  const labels = new Map(fields.map(field => [field.field, field.label]))
  const used = Object.values(input.mapping)
  const errors = [
    ...Object.keys(input.mapping)
      .filter(column => Number(column) >= width)
      .map(column => `La colonne n° ${Number(column) + 1} n'existe pas.`),
    ...used.filter(field => !labels.has(field)).map(field => `Le champ « ${field} » n'existe pas.`),
    ...used
      .filter((field, at) => used.indexOf(field) !== at)
      .map(field => `« ${labels.get(field) ?? field} » ne peut être que d'une colonne.`),
  ]
  if (used.length === 0) errors.push("Aucune colonne n'est choisie.")
  if (used.includes('manufacturer') && !used.includes('model')) errors.push('« Fabricant » demande aussi « Modèle ».')
  if (errors.length > 0) throw invalid([...new Set(errors)].slice(0, 20), { mapping: errors[0] ?? '' })
}
