import type { ServiceFigure } from '@narval/contracts'
import {
  formatBytes,
  formatDateTime,
  formatMilliseconds,
  formatNumber,
  formatRatio,
  NNBSP,
  NOTHING,
} from '../../lib/format.ts'

/** A figure as people read it; « — » where it is not known. */
export const figureText = ({ value, unit }: Pick<ServiceFigure, 'value' | 'unit'>): string => {
  if (value === null) return NOTHING
  if (typeof value === 'string') return unit === 'instant' ? formatDateTime(value) : value
  switch (unit) {
    case 'bytes':
      return formatBytes(value)
    case 'ms':
      return formatMilliseconds(value)
    case 'ratio':
      return formatRatio(value)
    case 'perSecond':
      return `${formatNumber(value, 1)}${NNBSP}/s`
    default:
      return formatNumber(value, 0)
  }
}
