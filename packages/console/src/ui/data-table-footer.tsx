import { ActionIcon, NativeSelect } from '@mantine/core'
import type { HubName } from '@narval/contracts'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { table as words } from '../i18n/table.ts'
import { PAGE_LENGTHS } from '../lib/datatable-state.ts'
import classes from './data-table.module.css'
import { FreshnessSign } from './freshness.tsx'
import toolbar from './toolbar.module.css'
import type { TableStateHandle } from './use-table-state.ts'

interface FooterProps {
  readonly handle: TableStateHandle
  readonly filtered: number
  /** Null: this list is not live. */
  readonly live: HubName | null
}

/** Which rows of how many, the pages, and whether the rows still change by themselves. */
export const DataTableFooter = ({ handle, filtered, live }: FooterProps) => {
  const { state, update } = handle
  const pages = Math.max(1, Math.ceil(filtered / state.length))
  const from = (state.page - 1) * state.length + 1
  const goTo = (page: number): void => update({ page })
  return (
    <div className={classes.footer} data-keep-clear>
      <span>
        {filtered === 0
          ? ''
          : words.range(Math.min(from, filtered), Math.min(from + state.length - 1, filtered), filtered)}
      </span>
      {live !== null && <FreshnessSign hub={live} />}
      <div className={toolbar.spacer} />
      <NativeSelect
        size="xs"
        w={72}
        aria-label={words.rowsPerPage}
        title={words.rowsPerPage}
        data={PAGE_LENGTHS.map(String)}
        value={String(state.length)}
        onChange={event => update({ length: Number(event.currentTarget.value) })}
      />
      <nav aria-label={words.page(state.page, pages)} className={classes.chipGroup}>
        <Step label={words.firstPage} off={state.page <= 1} onClick={() => goTo(1)}>
          <IconChevronsLeft size={16} />
        </Step>
        <Step label={words.previousPage} off={state.page <= 1} onClick={() => goTo(state.page - 1)}>
          <IconChevronLeft size={16} />
        </Step>
        <span style={{ padding: '0 8px', whiteSpace: 'nowrap' }}>{words.page(state.page, pages)}</span>
        <Step label={words.nextPage} off={state.page >= pages} onClick={() => goTo(state.page + 1)}>
          <IconChevronRight size={16} />
        </Step>
        <Step label={words.lastPage} off={state.page >= pages} onClick={() => goTo(pages)}>
          <IconChevronsRight size={16} />
        </Step>
      </nav>
    </div>
  )
}

const Step = ({
  label,
  off,
  onClick,
  children,
}: {
  label: string
  off: boolean
  onClick: () => void
  children: ReactNode
}) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} disabled={off} onClick={onClick}>
    {children}
  </ActionIcon>
)
