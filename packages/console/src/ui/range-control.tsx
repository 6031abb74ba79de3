import { Button, Group, Popover, SegmentedControl, TextInput } from '@mantine/core'
import { IconCalendar, IconZoomReset } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { chart as words } from '../i18n/chart.ts'
import {
  type ChartSpan,
  instantText,
  isLive,
  RANGES,
  type RangeKey,
  rangeFault,
  rangeOf,
  spanOf,
  type View,
  viewOf,
} from '../lib/chart-range.ts'
import { formatDateTime, formatEnd } from '../lib/format.ts'
import { toLocalInput } from '../lib/local-time.ts'

/** A step into a part of the past: going back in the history leaves it again. */
const ZOOM = { chartZoom: true }
const isZoomStep = (state: unknown): boolean => typeof state === 'object' && state !== null && 'chartZoom' in state

/** The range that a page's charts show, all of it in the URL: `range` up to now, or `from` and `to`. */
export const useRange = () => {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const location = useLocation()
  const span = spanOf(params)
  const write = (change: (next: URLSearchParams) => void, options: { replace: boolean; state?: unknown }): void =>
    setParams(
      before => {
        const next = new URLSearchParams(before)
        next.delete('from')
        next.delete('to')
        change(next)
        return next
      },
      { ...options, preventScrollReset: true },
    )
  const clear = (): void => write(() => {}, { replace: true })
  return {
    span,
    isFree: !isLive(span),
    key: rangeOf(params.get('range')).key,
    setKey: (key: string): void =>
      write(next => (key === RANGES[0].key ? next.delete('range') : next.set('range', key)), { replace: true }),
    /** Each zoom is a step of the history; moving within one is not. */
    setView: ({ fromMs, toMs }: View, how: 'zoom' | 'move'): void =>
      write(
        next => {
          next.set('from', instantText(fromMs))
          next.set('to', instantText(toMs))
        },
        how === 'move' && !isLive(span) ? { replace: true, state: location.state } : { replace: false, state: ZOOM },
      ),
    back: (): void => {
      if (isZoomStep(location.state)) void navigate(-1)
      else if (!isLive(span)) clear()
    },
    clear,
  }
}
export type Range = ReturnType<typeof useRange>

const FREE = 'libre'

/** Chooses the range: up to now, or from and to any instant. */
export const RangeControl = ({ range }: { readonly range: Range }) => (
  <Group gap="xs" justify="flex-end">
    {range.isFree && (
      <Button variant="default" size="xs" leftSection={<IconZoomReset size={15} />} onClick={range.clear}>
        {words.reset}
      </Button>
    )}
    <FreeRange range={range} />
    <SegmentedControl
      aria-label={words.range}
      size="sm"
      value={range.isFree ? FREE : range.key}
      onChange={key => range.setKey(key satisfies string)}
      data={RANGES.map(({ key, label }): { value: RangeKey; label: string } => ({ value: key, label }))}
    />
  </Group>
)

const FreeRange = ({ range }: { readonly range: Range }) => {
  const [opened, setOpened] = useState(false)
  const { span } = range
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={range.isFree ? 'light' : 'default'}
          size="xs"
          leftSection={<IconCalendar size={15} />}
          styles={{ root: { height: 'auto', minHeight: 30, maxWidth: '100%' }, label: { whiteSpace: 'normal' } }}
          onClick={() => setOpened(!opened)}
        >
          {isLive(span) ? words.free : words.span(formatDateTime(span.fromMs), formatEnd(span.fromMs, span.toMs))}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <FreeRangeForm
          span={span}
          onView={view => {
            setOpened(false)
            range.setView(view, 'zoom')
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface FreeRangeFormProps {
  readonly span: ChartSpan
  readonly onView: (view: View) => void
}
const FreeRangeForm = ({ span, onView }: FreeRangeFormProps) => {
  const [now] = useState(() => Date.now())
  const shown = viewOf(span, now)
  const [from, setFrom] = useState(toLocalInput(shown.fromMs))
  const [to, setTo] = useState(toLocalInput(shown.toMs))
  const [tried, setTried] = useState(false)
  const [fromMs, toMs] = [new Date(from).getTime(), new Date(to).getTime()]
  const fault = rangeFault(fromMs, toMs, now)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (fault === null) onView({ fromMs, toMs })
  }
  return (
    <form onSubmit={send} noValidate>
      <Group align="flex-start" gap="sm">
        <TextInput
          type="datetime-local"
          label={words.from}
          value={from}
          onChange={event => setFrom(event.currentTarget.value)}
          error={tried && fault !== null && words.faults[fault]}
          data-autofocus
        />
        <TextInput
          type="datetime-local"
          label={words.to}
          value={to}
          onChange={event => setTo(event.currentTarget.value)}
        />
      </Group>
      <Group justify="flex-end" mt="sm">
        <Button type="submit" size="xs">
          {words.apply}
        </Button>
      </Group>
    </form>
  )
}
