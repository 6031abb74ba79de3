import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { usePublicConfiguration } from '../../lib/public-configuration.ts'
import { PaperSheet } from '../../ui/paper-sheet.tsx'
import classes from './availability.module.css'
import { fr } from './fr.ts'
import sheet from './print-sheet.module.css'
import { choiceText } from './report-controls.tsx'
import type { ReportHandle } from './report-options.ts'
import { lastDay } from './report-period.ts'

interface PrintSheetProps {
  readonly title: string
  readonly report: ReportHandle
  /** What it was narrowed to, in words; '' for nothing. */
  readonly narrowed?: string
  /** Up to when figures go, where that is before the end of the period, and when they were computed. */
  readonly until: string | null
  readonly computedAt: string | null
  readonly children: ReactNode
}

/** The report as it is on paper, in the place of the console: light, without menus, with what makes it understood alone. */
export const PrintSheet = ({ title, report, narrowed = '', until, computedAt, children }: PrintSheetProps) => {
  const { name } = usePublicConfiguration()
  return (
    <PaperSheet>
      <header className={sheet.head}>
        <h1>{title}</h1>
        <p>
          {[
            periodText(report.period),
            ...(until === null || Date.parse(until) >= report.period.to.getTime()
              ? []
              : [fr.untilNow(formatDateTime(until))]),
          ].join(', ')}
        </p>
        {narrowed !== '' && <p>{narrowed}</p>}
        <p>
          {report.ruleNames
            .map(one => `${fr.ruleLabels[one]}\u202f: ${choiceText(one, report.rules[one]).toLowerCase()}`)
            .join(' · ')}
        </p>
      </header>
      {children}
      <footer className={sheet.foot}>
        <p>{report.ruleNames.includes('warning') ? fr.sheet.metricNote : fr.sheet.note}</p>
        <p>
          {[
            name,
            fr.sheet.made(formatDateTime(computedAt ?? Date.now())),
            fr.sheet.zone(Intl.DateTimeFormat().resolvedOptions().timeZone),
          ].join(' · ')}
        </p>
      </footer>
    </PaperSheet>
  )
}

const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long' })
/** The first of a month is an ordinal in French, which the formats of the platform do not know. */
const dayText = (at: Date): string => day.format(at).replace(/^1 /, '1ᵉʳ ')
/** « du 1ᵉʳ mars 2026 au 31 mars 2026 » */
export const periodText = (period: ReportHandle['period']): string =>
  fr.span(dayText(period.from), dayText(lastDay(period)))

export const PrintButton = ({ busy, onPrint }: { readonly busy: boolean; readonly onPrint: () => void }) => (
  <Button
    className={classes.print}
    variant="default"
    loading={busy}
    leftSection={<IconPrinter size={16} />}
    onClick={onPrint}
  >
    {fr.print}
  </Button>
)
