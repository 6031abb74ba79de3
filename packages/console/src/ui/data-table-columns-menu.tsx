import { ActionIcon, Button, Popover } from '@mantine/core'
import type { ColumnList } from '@narval/contracts'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { table as words } from '../i18n/table.ts'
import { listColumnsQuery, saveListColumns } from '../lib/list-keeping.ts'
import classes from './data-table-menus.module.css'
import type { TableColumn } from './data-table-types.ts'

export interface ColumnChoice<T> {
  /** As chosen; the list's own while that is not known yet, or nothing was chosen. */
  readonly shown: readonly TableColumn<T>[]
  readonly isKnown: boolean
  readonly chosen: boolean
  readonly choose: (ids: string[] | null) => void
}

/** The columns that the account has chosen for a list; those that are no more are left out. */
export const useColumnChoice = <T,>(
  list: ColumnList | undefined,
  columns: readonly TableColumn<T>[],
): ColumnChoice<T> => {
  const client = useQueryClient()
  const { data, isFetched } = useQuery({ ...listColumnsQuery, enabled: list !== undefined })
  const save = useMutation({
    mutationFn: async (ids: string[] | null) => (list === undefined ? null : saveListColumns(list, ids)),
  })
  const ids = data?.find(one => one.list === list)?.columns ?? null
  const shown = useMemo(() => {
    const [free, last] = [columns.filter(({ fixed }) => fixed !== true), columns.filter(({ fixed }) => fixed === true)]
    const own = free.filter(({ hidden }) => hidden !== true)
    const kept = (ids ?? []).flatMap(id => free.find(column => column.id === id) ?? [])
    return [...(kept.length === 0 ? own : kept), ...last]
  }, [columns, ids])
  const choose = (next: string[] | null): void => {
    if (list === undefined) return
    client.setQueryData(listColumnsQuery.queryKey, (before = []) => [
      ...before.filter(one => one.list !== list),
      { list, columns: next },
    ])
    save.mutate(next)
  }
  return { shown, isKnown: list === undefined || isFetched, chosen: ids !== null, choose }
}

interface ColumnsMenuProps<T> {
  readonly columns: readonly TableColumn<T>[]
  readonly choice: ColumnChoice<T>
}

/** Which columns are shown, and in which order. */
export const ColumnsMenu = <T,>({ columns, choice }: ColumnsMenuProps<T>) => {
  const shown = (choice.isKnown ? choice.shown : []).filter(({ fixed }) => fixed !== true)
  const ids = shown.map(column => column.id)
  const rest = columns.filter(column => column.fixed !== true && !ids.includes(column.id))
  const move = (at: number, by: number): void => {
    const next = [...ids]
    const [moved] = next.splice(at, 1)
    if (moved !== undefined) next.splice(at + by, 0, moved)
    choice.choose(next)
  }
  return (
    <Popover position="bottom-end" shadow="md" width={320} trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={34} radius={8} aria-label={words.columns} title={words.columns}>
          <IconColumns3 size={17} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={8}>
        <fieldset className={classes.menu}>
          <legend className={classes.title}>{words.columns}</legend>
          {shown.map((column, at) => (
            <div key={column.id} className={classes.line}>
              <label className={classes.choice}>
                <input
                  type="checkbox"
                  checked
                  disabled={shown.length === 1}
                  onChange={() => choice.choose(ids.filter(id => id !== column.id))}
                />
                <span>{column.header}</span>
              </label>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                disabled={at === 0}
                aria-label={words.columnUp(column.header)}
                title={words.columnUp(column.header)}
                onClick={() => move(at, -1)}
              >
                <IconArrowUp size={15} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                disabled={at === shown.length - 1}
                aria-label={words.columnDown(column.header)}
                title={words.columnDown(column.header)}
                onClick={() => move(at, 1)}
              >
                <IconArrowDown size={15} />
              </ActionIcon>
            </div>
          ))}
          {rest.map(column => (
            <div key={column.id} className={classes.line}>
              <label className={classes.choice}>
                <input type="checkbox" checked={false} onChange={() => choice.choose([...ids, column.id])} />
                <span>{column.header}</span>
              </label>
            </div>
          ))}
        </fieldset>
        <div className={classes.foot}>
          <Button
            variant="subtle"
            size="compact-sm"
            fullWidth
            disabled={!choice.chosen}
            onClick={() => choice.choose(null)}
          >
            {words.columnsReset}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
