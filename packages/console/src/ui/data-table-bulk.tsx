import { Button, CloseButton } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { table as words } from '../i18n/table.ts'
import classes from './data-table-bulk.module.css'
import type { SelectionHandle } from './data-table-selection.ts'

interface TickProps {
  readonly checked: boolean
  readonly partly?: boolean
  readonly disabled?: boolean
  readonly label: string
  readonly onToggle: (through: boolean) => void
}

/** A box to tick; Shift ticks all between. */
export const Tick = ({ checked, partly = false, disabled = false, label, onToggle }: TickProps) => (
  <label className={classes.tick}>
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      ref={box => {
        if (box !== null) box.indeterminate = partly && !checked
      }}
      onChange={() => undefined}
      onClick={event => onToggle(event.shiftKey)}
    />
  </label>
)

interface BulkBarProps {
  readonly selection: SelectionHandle
  readonly page: readonly number[]
  /** Rows that the filter matches. */
  readonly matching: number
  readonly noun: (count: number) => string
  /** Rows are cards, without a head that has the page's box. */
  readonly narrow: boolean
  readonly children: ReactNode
}

/** What is ticked, all that could be, and what can be done with it; it takes no room while nothing is ticked. */
export const BulkBar = (props: BulkBarProps) => (props.selection.count === 0 ? null : <Bar {...props} />)

/** What of a list takes the focus, the best first: the row that is a stop, a card's link, the search. */
const STOPS = ['tbody tr[tabindex="0"]', 'li a', 'input[type="search"]']

/** Gives the focus to the list when the bar goes away with it: its rows were deleted, or are ticked no more. */
const useFocusToList = () => {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const list = bar.current?.closest('[data-table]')
    return () => {
      // Once a dialog that the bar had opened is gone too.
      setTimeout(() => {
        if (document.activeElement !== document.body || list?.isConnected !== true) return
        const stop = STOPS.map(one => list.querySelector<HTMLElement>(one)).find(one => one !== null)
        stop?.focus({ preventScroll: true })
      })
    }
  }, [])
  return bar
}

const Bar = ({ selection, page, matching, noun, narrow, children }: BulkBarProps) => {
  const { all, count } = selection
  const bar = useFocusToList()
  const pageWhole = page.length > 0 && page.every(id => selection.isTicked(id))
  return (
    <section className={classes.bar} aria-label={words.selection} ref={bar}>
      <CloseButton size="sm" aria-label={words.unselect} title={words.unselect} onClick={selection.clear} />
      <output className={classes.count} aria-live="polite">
        {words.selected(noun(count))}
      </output>
      {narrow && !pageWhole && (
        <Button variant="subtle" size="compact-sm" onClick={() => selection.togglePage(page)}>
          {words.wholePage}
        </Button>
      )}
      {!all && pageWhole && matching > count && (
        <Button variant="subtle" size="compact-sm" onClick={selection.takeAll}>
          {words.selectAll(noun(matching))}
        </Button>
      )}
      <div className={classes.actions}>{children}</div>
    </section>
  )
}
