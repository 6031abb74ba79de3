import { Button, Select, Textarea } from '@mantine/core'
import { HANDOVER_MAX, type HandoverSummary, handoverRoutes } from '@narval/contracts'
import { IconRefresh, IconSignature } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { keepDraft, readDraft } from '../../lib/draft.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { Card, ErrorState, errorText, LoadingState } from '../../ui/page.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { TwoColumns } from '../../ui/two-columns.tsx'
import { CommentTabs } from './comment-tabs.tsx'
import { handoverText } from './handover-text.ts'
import classes from './log-book.module.css'
import { fr } from './log-book-fr.ts'
import { useHandoverSummary, useRefreshBook, useShiftPlan } from './log-book-queries.ts'
import { lastShifts, type Shift, type ShiftPlan, shiftText, shiftToHandOver } from './shift.ts'

const { form: words } = fr
/** Shifts that one may still hand over. */
const OFFERED = 6

/** /comments/log-book/handover/new: sums a shift up by itself, to be corrected and signed. */
export const HandoverNewPage = () => {
  const { data: plan, error, refetch } = useShiftPlan()
  return (
    <>
      <CommentTabs current="handover" />
      {plan === undefined && error === null && <LoadingState />}
      {plan === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {plan !== undefined && <Form plan={plan} />}
    </>
  )
}

const Form = ({ plan }: { readonly plan: ShiftPlan }) => {
  const [shifts] = useState(() => lastShifts(new Date(), plan, OFFERED))
  const [shift, setShift] = useState<Shift>(() => shiftToHandOver(new Date(), plan))
  const [siteId, setSiteId] = useState<number | null>(null)
  const { data: summary, error, refetch } = useHandoverSummary(shift, siteId)
  return (
    <TwoColumns
      side={
        <Card title={words.summary}>
          {summary === undefined ? (
            error === null ? (
              <LoadingState />
            ) : (
              <ErrorState error={error} onRetry={() => void refetch()} />
            )
          ) : (
            <Summary summary={summary} />
          )}
        </Card>
      }
    >
      <Card>
        <div className={classes.form}>
          <Select
            label={words.shift}
            allowDeselect={false}
            data={shifts.map(one => ({ value: one.from.toISOString(), label: shiftText(one) }))}
            value={shift.from.toISOString()}
            onChange={value => setShift(shifts.find(one => one.from.toISOString() === value) ?? shift)}
          />
          <RemoteSelect
            label={words.site}
            help={words.siteHelp}
            source={siteOptions}
            value={siteId}
            onChange={setSiteId}
          />
          {summary !== undefined && (
            <Words
              key={`${shift.from.toISOString()} ${siteId ?? 'all'}`}
              shift={shift}
              siteId={siteId}
              proposed={handoverText(shift, summary)}
            />
          )}
        </div>
      </Card>
    </TwoColumns>
  )
}

interface WordsProps {
  readonly shift: Shift
  readonly siteId: number | null
  readonly proposed: string
}

/** The note itself: the summary until it is changed, and the draft from then on. */
const Words = ({ shift, siteId, proposed }: WordsProps) => {
  const login = useSession().user?.login ?? ''
  const name = `${login}:handover:${shift.from.toISOString()}:${siteId ?? 'all'}`
  const navigate = useNavigate()
  const refresh = useRefreshBook()
  const [written, setWritten] = useState(() => readDraft(name))
  const [armed, setArmed] = useState(false)
  const text = written === '' ? proposed : written
  const write = (next: string): void => {
    setWritten(next)
    keepDraft(name, next)
  }
  const signing = useMutation({
    mutationFn: () => {
      const period = { from: shift.from.toISOString(), to: shift.to.toISOString() }
      return call(handoverRoutes.create, { body: { ...period, siteId, text: text.trim() } })
    },
    onSuccess: async made => {
      keepDraft(name, '')
      refresh()
      await navigate(`/comments/log-book/handover/${made.id}`)
    },
  })
  return (
    <>
      <Textarea
        label={words.text}
        description={words.textHelp}
        value={text}
        onChange={event => write(event.currentTarget.value)}
        maxLength={HANDOVER_MAX}
        autosize
        minRows={14}
        maxRows={30}
      />
      {signing.error !== null && (
        <p className={classes.error} role="alert">
          {errorText(signing.error)} {fr.kept}
        </p>
      )}
      <div className={classes.formFoot}>
        {written !== '' && (
          <Button variant="subtle" leftSection={<IconRefresh size={16} />} onClick={() => write('')}>
            {words.again}
          </Button>
        )}
        <Button
          ml="auto"
          loading={signing.isPending}
          disabled={text.trim() === ''}
          leftSection={<IconSignature size={17} />}
          onClick={() => (armed ? signing.mutate() : setArmed(true))}
          onBlur={() => setArmed(false)}
        >
          {armed ? words.confirm : words.sign}
        </Button>
      </div>
    </>
  )
}

const Summary = ({ summary }: { readonly summary: HandoverSummary }) => (
  <div className={classes.summary}>
    <Part title={`${words.open} (${summary.openCount})`} empty={words.none} count={summary.open.length}>
      {summary.open.map(one => (
        <li key={one.id}>
          <SeverityIcon severity={one.severity} size={15} label={common.severity[one.severity]} />
          <Link to={`/dashboard/live-view/incident/${one.id}`}>{one.title}</Link>
        </li>
      ))}
    </Part>
    <Part title={`${words.ended} (${summary.endedCount})`} empty={words.none} count={summary.ended.length}>
      {summary.ended.map(one => (
        <li key={one.id}>
          <Link to={`/dashboard/live-view/incident/${one.id}`}>{one.title}</Link>
        </li>
      ))}
    </Part>
    <Part
      title={`${words.maintenances} (${summary.maintenanceCount})`}
      empty={words.noneFeminine}
      count={summary.maintenances.length}
    >
      {summary.maintenances.map(({ id, comment, until }) => (
        <li key={`${id} ${until}`}>
          {id === null ? comment : <Link to={`/dashboard/live-view/maintenance/${id}`}>{comment}</Link>}
        </li>
      ))}
    </Part>
    <Part title={`${words.notes} (${summary.noteCount})`} empty={words.noneFeminine} count={summary.notes.length}>
      {summary.notes.map(({ at, author, text }) => (
        <li key={`${at} ${text}`}>
          <span className={classes.clip}>
            {author}
            {'\u202f'}: {text}
          </span>
        </li>
      ))}
    </Part>
  </div>
)

interface PartProps {
  readonly title: string
  readonly empty: string
  readonly count: number
  readonly children: ReactNode
}
const Part = ({ title, empty, count, children }: PartProps) => (
  <section>
    <h3>{title}</h3>
    {count === 0 ? <p className={classes.meta}>{empty}</p> : <ul>{children}</ul>}
  </section>
)
