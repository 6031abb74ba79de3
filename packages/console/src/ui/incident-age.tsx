import type { Incident } from '@narval/contracts'
import { openedAndReopened, reopenedShort } from '../lib/incident-time.ts'
import { Since } from './time.tsx'

type Aged = Pick<Incident, 'openedAt' | 'closedAt' | 'failsSince' | 'reopened'>

/** « depuis 3 min 12 s », of an open incident; of one that came back since it did, and how often: « …, rouvert 2 × ». */
export const FailsSince = ({ incident }: { readonly incident: Aged }) => {
  const { failsSince, reopened } = incident
  return (
    <span title={reopened > 0 ? openedAndReopened(incident) : undefined}>
      depuis <Since at={failsSince} />
      {reopened > 0 && `, ${reopenedShort(reopened)}`}
    </span>
  )
}
