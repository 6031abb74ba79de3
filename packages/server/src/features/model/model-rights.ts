import { CLAIM_TEXTS, type Claim, grants, type ModelDefinition } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { forbidden } from '../../http/refusal.ts'
import { changesOf } from '../../store/audit-change.ts'

/** Writing scanners and metrics through a model asks for the same rights as writing them one by one (S35). */
export const requireClaims = (viewer: Viewer, before: ModelDefinition, after: ModelDefinition): void => {
  const isChanged = (part: (definition: ModelDefinition) => object) =>
    Object.keys(changesOf(part(before), part(after))).length > 0
  if (isChanged(scannersOf)) requireClaim(viewer, 'scanner_write', 'scanners')
  if (isChanged(metricsOf)) requireClaim(viewer, 'metric_write', 'métriques')
}

/** Refuses who lacks the claim for what a model writes. */
export const requireClaim = (viewer: Viewer, claim: Claim, what: string): void => {
  if (!grants(viewer.claims, claim))
    throw forbidden(`Changer les ${what} d’un modèle demande le droit « ${CLAIM_TEXTS[claim].label} ».`)
}

const scannersOf = ({ scanners }: ModelDefinition) => ({
  scanners: scanners.map(({ metrics: _, ...scanner }) => scanner),
})
const metricsOf = ({ scanners }: ModelDefinition) => ({
  metrics: scanners.flatMap(({ item, metrics }) => metrics.map(metric => ({ item, ...metric }))),
})
