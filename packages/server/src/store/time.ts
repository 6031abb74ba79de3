/** Epoch ms of the database ↔ ISO-8601 UTC of the wire. */
export const toIso = (epochMs: number): string => new Date(epochMs).toISOString()
export const toIsoOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : toIso(epochMs))
export const fromIso = (iso: string): number => Date.parse(iso)
