import { OPINIONS_MAX, type OpinionReply, type SecondOpinion } from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { conflict, notFound, unavailable } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { toOpinion } from '../../monitoring/probe/second-opinion.store.ts'
import { type ScannerRow, scannerList } from '../../monitoring/run/scanner-list.ts'
import type { Database } from '../../store/database.ts'
import { fetchOne } from '../../store/fetch.ts'
import { toIso } from '../../store/time.ts'
import { visibleHost } from '../../store/visible.ts'

/** What other probes said of hosts, and what one says now. */
export const createOpinionService = (
  { db }: Database,
  { model, presence, secondOpinions }: Pick<Monitoring, 'model' | 'presence' | 'secondOpinions'>,
) => ({
  async ofHost(viewer: Viewer, hostId: number): Promise<SecondOpinion[]> {
    const seen = await sql`select 1 from host join site on site.id = host.site_id
      where host.id = ${hostId} and ${visibleHost(viewer)}`.execute(db)
    if (seen.rows.length === 0) throw notFound("Cet équipement n'existe pas.")
    const rows = await db
      .selectFrom('second_opinion')
      .selectAll()
      .where('host_id', '=', hostId)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(OPINIONS_MAX)
      .execute()
    return rows.map(toOpinion)
  },
  async ask(viewer: Viewer, scannerId: number, probeId: number | null): Promise<OpinionReply> {
    const scanner = model.scanners.get(scannerId)
    if ((await fetchOne<ScannerRow>(db, scannerList(viewer), scannerId)) === null || scanner === undefined)
      throw notFound("Ce scanner n'existe pas.")
    const able = await secondOpinions.probesFor(scanner)
    const chosen = probeId === null ? able[0] : able.find(({ id }) => id === probeId)
    if (chosen === undefined)
      throw conflict(
        probeId === null
          ? "Aucune autre sonde ne peut contrôler cet équipement : il en faut une en ligne, du même groupe, de son site ou d'un site au-dessus."
          : "Cette sonde ne peut donner d'avis sur cet équipement : elle n'est pas en ligne, ou n'est ni du même groupe, ni de son site, ni d'un site au-dessus.",
      )
    const name = presence.probes.get(chosen.id)?.name ?? ''
    const outcome = await secondOpinions.ask(scannerId, chosen)
    if (outcome === null) throw unavailable(`La sonde « ${name} » n'a pas répondu.`, 5_000)
    if (outcome.kind !== 'test')
      throw conflict(outcome.kind === 'refused' ? outcome.message : `La sonde « ${name} » ne sait pas le faire.`)
    const { at, durationMs, failure, values, details } = outcome
    return { probeId: chosen.id, probeName: name, at: toIso(at), durationMs, failure, values, details }
  },
})
export type OpinionService = ReturnType<typeof createOpinionService>
