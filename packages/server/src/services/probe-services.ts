import type { Presence, ProbePresence } from '../monitoring/probe/presence.ts'
import type { Database } from '../store/database.ts'
import type { ProbeService, Status } from './service-registry.ts'

/** Clocks further apart than this are shown (R25). */
const SKEW_MS = 30_000
/** What a probe has measured and not delivered is this old: it can't keep up, or the line is slow. */
const LAG_MS = 120_000

interface ProbeRow {
  readonly siteId: number | null
  readonly version: string
}

export interface ProbeServices {
  readonly list: () => readonly ProbeService[]
  /** Reads again where probes stand. @throws what the database throws. */
  readonly load: () => Promise<void>
}

/** Probes as services: what presence knows of each, beside its site and version. */
export const createProbeServices = ({ db }: Database, presence: Presence): ProbeServices => {
  let rows: ReadonlyMap<number, ProbeRow> = new Map()
  return {
    async load() {
      const found = await db.selectFrom('probe').select(['id', 'site_id', 'version']).execute()
      rows = new Map(found.map(row => [row.id, { siteId: row.site_id, version: row.version }]))
    },
    list: () =>
      [...presence.probes.values()].map(probe => ({
        ...{ probeId: probe.id, name: probe.name, siteId: rows.get(probe.id)?.siteId ?? null },
        version: probe.health?.version ?? rows.get(probe.id)?.version ?? '',
        status: statusOf(probe, presence),
      })),
  }
}

const statusOf = (probe: ProbePresence, presence: Presence): Status => {
  const { health, skewMs } = probe
  const online = presence.state(probe.id) === 'online'
  return {
    ...judge(probe, presence),
    ...(online && health !== null ? { rate: health.checksPerSecond, queue: health.backlog } : {}),
    figures: [
      {
        label: 'Dernier contact',
        value: probe.lastContactMs === 0 ? null : new Date(probe.lastContactMs).toISOString(),
        unit: 'instant',
      },
      { label: 'Plus ancien résultat en attente', value: health?.lagMs ?? null, unit: 'ms' },
      { label: 'Écart d’horloge', value: skewMs, unit: 'ms' },
      { label: 'Contrôles en retard', value: health?.late ?? null, unit: 'count' },
      { label: 'Résultats perdus', value: health?.dropped ?? null, unit: 'count' },
      { label: 'Processeur', value: health?.cpuRatio ?? null, unit: 'ratio' },
      { label: 'Mémoire', value: health?.memoryBytes ?? null, unit: 'bytes' },
    ],
  }
}

const judge = (probe: ProbePresence, presence: Presence): Status => {
  const { health, skewMs } = probe
  switch (presence.state(probe.id)) {
    case 'pending':
      return { state: 'warning', reason: 'Attend d’être approuvée.' }
    case 'revoked':
      return { state: 'off', reason: 'Révoquée.' }
    case 'offline':
      return probe.lastContactMs === 0
        ? { state: 'unknown', reason: 'N’a encore jamais appelé.' }
        : { state: 'error', reason: 'N’appelle plus.', sinceMs: probe.lastContactMs }
    case 'online':
      if (skewMs !== null && Math.abs(skewMs) > SKEW_MS)
        return { state: 'warning', reason: 'Son horloge est décalée de plus de 30 s.' }
      if (health !== null && health.lagMs > LAG_MS)
        return { state: 'warning', reason: 'Livre ses résultats avec plus de deux minutes de retard.' }
      if (health === null) return { state: 'unknown', reason: 'N’a pas encore dit comment elle va.' }
      return { state: 'ok', reason: 'Mesure et livre.' }
  }
}
