import { Popover } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './dropdown.module.css'

interface DropdownProps {
  readonly label: string
  readonly icon: ReactNode
  /** Badge on the icon; 0 shows none. */
  readonly count?: number
  /** Said beside the label to those who do not see the badge. */
  readonly countText?: string
  readonly maxWidth: number
  readonly onOpen?: () => void
  /** The content; `close` after a link was followed. */
  readonly children: (close: () => void) => ReactNode
}

const ABOVE_TOASTS = 1_100

/** A button of the top bar that opens a panel. */
export const Dropdown = ({ label, icon, count = 0, countText, maxWidth, onOpen, children }: DropdownProps) => {
  const [opened, setOpened] = useState(false)
  const change = (next: boolean): void => {
    setOpened(next)
    if (next) onOpen?.()
  }
  return (
    <Popover
      opened={opened}
      onChange={change}
      position="bottom-end"
      offset={8}
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
      zIndex={ABOVE_TOASTS}
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.button}
          onClick={() => change(!opened)}
          aria-expanded={opened}
          data-opened={opened || undefined}
          aria-haspopup="dialog"
          aria-label={countText === undefined ? label : `${label}, ${countText}`}
          title={label}
        >
          {icon}
          {count > 0 && <span className={classes.count}>{count > 99 ? '99+' : count}</span>}
        </button>
      </Popover.Target>
      <Popover.Dropdown
        p={0}
        className={classes.panel}
        style={{ width: maxWidth, maxWidth: `min(${maxWidth}px, calc(100vw - 16px))` }}
        role="dialog"
        aria-label={label}
      >
        {opened && children(() => change(false))}
      </Popover.Dropdown>
    </Popover>
  )
}
