import type { Viewer } from '../../http/caller.ts'
import { invalid, invalidField, notFound } from '../../http/refusal.ts'
import type { HostEntry, Model } from '../../monitoring/fleet/model.ts'
import { seesAll, seesHost, seesSite, seesSome } from '../../store/visible.ts'

/** Which time of which sites is asked. */
export interface StatusWindow {
  readonly fromMs: number
  readonly untilMs: number
  /** Those seen whole: what is kept by site is told of these alone. */
  readonly siteIds: readonly number[]
  /** Whether equipment is of what is asked, and seen; null: all of it is. */
  readonly among: ((host: HostEntry) => boolean) | null
}

const HOUR_MS = 3_600_000

/** @throws Refusal for a time that is none or too long, and for a site that one does not see. */
export const windowOf = (
  model: Model,
  viewer: Viewer,
  { from, to, site }: { readonly from: string; readonly to: string; readonly site?: number | undefined },
  maxHours: number,
): StatusWindow => {
  const [fromMs, untilMs] = [Date.parse(from), Date.parse(to)]
  if (untilMs <= fromMs) throw invalidField('to', 'La fin vient avant le début.')
  if (untilMs - fromMs > maxHours * HOUR_MS)
    throw invalid([
      maxHours % 24 === 0
        ? `Une période de ${maxHours / 24} jours au plus est attendue.`
        : `Une période de ${maxHours} heures au plus est attendue.`,
    ])
  const asked = site === undefined ? undefined : model.sites.get(site)
  if (site !== undefined && (asked === undefined || !seesSome(viewer)(asked))) throw notFound("Ce site n'existe pas.")
  const sees = seesHost(viewer)
  const siteIds = (site === undefined ? [...model.sites.keys()] : [site]).filter(seesSite(viewer))
  const isAll = asked === undefined && seesAll(viewer)
  return {
    fromMs,
    untilMs,
    siteIds,
    among: isAll ? null : host => sees(host) && (site ?? host.site.id) === host.site.id,
  }
}
