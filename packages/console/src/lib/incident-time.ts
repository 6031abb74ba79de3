import type { Incident } from '@narval/contracts'
import { formatCount, formatDateTime, NNBSP } from './format.ts'

type Timed = Pick<Incident, 'openedAt' | 'closedAt' | 'reopened'>

/** « rouvert 2 × »: what stands for the duration of one that was fine in between. */
export const reopenedShort = (times: number): string => `rouvert ${times}${NNBSP}×`

/** « ouvert le …, rouvert 2 × ». */
export const openedAndReopened = ({ openedAt, reopened }: Timed): string =>
  `ouvert le ${formatDateTime(openedAt)}, ${reopenedShort(reopened)}`

/** « du … au …, rouvert 2 fois », of a closed one: the good time in between makes one duration false. */
export const spanWords = ({ openedAt, closedAt, reopened }: Timed): string =>
  `du ${formatDateTime(openedAt)} au ${formatDateTime(closedAt)}, rouvert ${formatCount(reopened, 'fois', 'fois')}`

/** Its information without the name of the site that it begins with, for where the site is shown anyway. */
export const informationOf = ({ information, siteName }: Pick<Incident, 'information' | 'siteName'>): string => {
  const start = `${siteName ?? ''} · `
  return siteName !== null && information.startsWith(start) ? information.slice(start.length) : information
}
