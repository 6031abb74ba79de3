import { ActionIcon, Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

interface ArmedButtonProps {
  readonly label: string
  /** What the second click says that it does. */
  readonly confirm: string
  /** Drawn alone before the first click; the label is written without one. */
  readonly icon?: ReactNode
  readonly busy: boolean
  readonly onConfirm: () => void
}

/** Asks twice: the first click arms the button, the second does it; leaving it disarms it. */
export const ArmedButton = ({ label, confirm, icon, busy, onConfirm }: ArmedButtonProps) => {
  const [armed, setArmed] = useState(false)
  if (armed)
    return (
      <Button size="compact-sm" color="red" loading={busy} onClick={onConfirm} onBlur={() => setArmed(false)} autoFocus>
        {confirm}
      </Button>
    )
  const arm = (): void => setArmed(true)
  return icon === undefined ? (
    <Button size="compact-sm" variant="default" onClick={arm}>
      {label}
    </Button>
  ) : (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={arm}>
      {icon}
    </ActionIcon>
  )
}
