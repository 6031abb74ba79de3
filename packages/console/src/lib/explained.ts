import { EXPLAINED_CAUSES, type HostCause, type Metric } from '@narval/contracts'

/** The incident that explains why a metric is unknown; null: it has none, or it is not known yet. */
export const causeOf = (
  causes: readonly HostCause[],
  { cause, scannerId }: Pick<Metric, 'cause' | 'scannerId'>,
): HostCause | null => causes.find(one => one.cause === cause && one.scannerIds.includes(scannerId)) ?? null

/** Whether an incident of something else may explain it. */
export const isExplained = ({ cause }: Pick<Metric, 'cause'>): boolean => EXPLAINED_CAUSES.some(one => one === cause)
