import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { moved } from '../../lib/custom-field.ts'
import { fr } from './fr.ts'
import classes from './sortable-list.module.css'

interface SortableItem {
  readonly id: number
}
interface SortableListProps<T extends SortableItem> {
  readonly label: string
  readonly items: readonly T[]
  readonly nameOf: (item: T) => string
  readonly render: (item: T) => ReactNode
  /** Gets the ids in their new order. Absent: the list is shown in part, and can't be put in order. */
  readonly onOrder: ((ids: readonly number[]) => void) | undefined
}

type Step = -1 | 1
/** Px from the window's edges within which it scrolls under what is dragged. */
const EDGE_PX = 72
const EDGE_STEP_PX = 14

/** A list put in order by its handles, or by « Monter » and « Descendre »; what moved where is also said. */
export const SortableList = <T extends SortableItem>(props: SortableListProps<T>) => {
  const { items, nameOf, onOrder, label, render } = props
  const list = useRef<HTMLUListElement>(null)
  const [drag, setDrag] = useState<{ readonly id: number; readonly ids: readonly number[] } | null>(null)
  const [said, setSaid] = useState('')
  const refocus = useRef<{ readonly id: number; readonly step: Step } | null>(null)
  const shown = drag === null ? items : drag.ids.flatMap(id => items.find(item => item.id === id) ?? [])
  const order = shown.map(item => item.id)

  // A moved node loses the focus: whoever works by keyboard must find the button under their finger again.
  useEffect(() => {
    const wanted = refocus.current
    if (wanted === null || items.length === 0) return
    refocus.current = null
    list.current?.querySelector<HTMLElement>(`[data-move="${wanted.id}:${wanted.step}"]`)?.focus()
  }, [items])

  const commit = (ids: readonly number[], id: number): void => {
    const item = items.find(one => one.id === id)
    if (item !== undefined) setSaid(fr.order.moved(nameOf(item), ids.indexOf(id) + 1, ids.length))
    onOrder?.(ids)
  }
  const step = (id: number, by: Step): void => {
    const from = order.indexOf(id)
    const next = moved(order, from, from + by)
    if (next === order) return
    refocus.current = { id, step: by }
    commit(next, id)
  }
  const dragTo = useEffectEvent((clientY: number): void => {
    if (drag === null) return
    const rows = [...(list.current?.children ?? [])].map(row => row.getBoundingClientRect())
    const from = drag.ids.indexOf(drag.id)
    const above = rows.filter((row, index) => index !== from && row.top + row.height / 2 < clientY).length
    if (above !== from) setDrag({ ...drag, ids: moved(drag.ids, from, above) })
    if (clientY < EDGE_PX) scrollBy(0, -EDGE_STEP_PX)
    if (clientY > innerHeight - EDGE_PX) scrollBy(0, EDGE_STEP_PX)
  })
  const drop = useEffectEvent((): void => {
    if (drag?.ids.some((id, index) => items[index]?.id !== id)) commit(drag.ids, drag.id)
    setDrag(null)
  })
  const dragging = drag !== null
  // On the window: a row that moves in the page loses the pointer that it had captured.
  useEffect(() => {
    if (!dragging) return
    const until = new AbortController()
    const { signal } = until
    addEventListener('pointermove', event => dragTo(event.clientY), { signal })
    addEventListener('pointerup', () => drop(), { signal })
    addEventListener('pointercancel', () => setDrag(null), { signal })
    addEventListener('keydown', event => event.key === 'Escape' && setDrag(null), { signal })
    return () => until.abort()
  }, [dragging])
  return (
    <>
      <ul ref={list} className={classes.list} aria-label={label}>
        {shown.map((item, index) => (
          <li key={item.id} className={classes.item} data-dragged={drag?.id === item.id || undefined}>
            {onOrder !== undefined && (
              <Handle name={nameOf(item)} onGrab={() => setDrag({ id: item.id, ids: order })} />
            )}
            <div className={classes.content}>{render(item)}</div>
            {onOrder !== undefined && (
              <MoveButtons
                item={item}
                name={nameOf(item)}
                first={index === 0}
                last={index === shown.length - 1}
                onStep={step}
              />
            )}
          </li>
        ))}
      </ul>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  )
}

const Handle = ({ name, onGrab }: { readonly name: string; readonly onGrab: () => void }) => (
  <span
    className={classes.handle}
    data-handle
    title={fr.order.drag(name)}
    aria-hidden="true"
    onPointerDown={event => {
      if (event.button !== 0) return
      event.preventDefault()
      onGrab()
    }}
  >
    <IconGripVertical size={18} stroke={1.6} />
  </span>
)

interface MoveProps {
  readonly item: SortableItem
  readonly name: string
  readonly first: boolean
  readonly last: boolean
  readonly onStep: (id: number, step: Step) => void
}

const MoveButtons = ({ item, name, first, last, onStep }: MoveProps) => {
  // At an end the button stays: focus must not fall off the list.
  return (
    <span className={classes.moves}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        data-move={`${item.id}:-1`}
        aria-disabled={first}
        data-end={first || undefined}
        aria-label={fr.order.up(name)}
        onClick={() => onStep(item.id, -1)}
      >
        <IconArrowUp size={15} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        data-move={`${item.id}:1`}
        aria-disabled={last}
        data-end={last || undefined}
        aria-label={fr.order.down(name)}
        onClick={() => onStep(item.id, 1)}
      >
        <IconArrowDown size={15} />
      </ActionIcon>
    </span>
  )
}
