import type { Viewer } from '../../http/caller.ts'
import { invalid, invalidField, notFound } from '../../http/refusal.ts'
import type { Model } from '../../monitoring/fleet/model.ts'
import { seesSite } from '../../store/visible.ts'

/** Which time of which sites is asked. */
export interface StatusWindow {
  readonly fromMs: number
  readonly untilMs: number
  readonly siteIds: readonly number[]
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
  const sees = seesSite(viewer)
  if (site !== undefined && !(model.sites.has(site) && sees(site))) throw notFound("Ce site n'existe pas.")
  return { fromMs, untilMs, siteIds: site === undefined ? [...model.sites.keys()].filter(sees) : [site] }
}
