import { Button, Group, type MantineSpacing } from '@mantine/core'
import { fr } from '../i18n/fr.ts'

interface DialogActionsProps {
  readonly onCancel: () => void
  /** What the other button says. */
  readonly submit: string
  /** Left out: it submits the form around it. */
  readonly onSubmit?: () => void
  readonly busy: boolean
  readonly disabled?: boolean
  /** What can not be undone. */
  readonly danger?: boolean
  /** Which has the focus when the dialog opens; left out: what else the dialog says. */
  readonly focus?: 'cancel' | 'submit'
  /** Space above. */
  readonly mt?: MantineSpacing
}

/** The two ends of a dialog: giving up, and doing it. */
export const DialogActions = (props: DialogActionsProps) => {
  const { onCancel, submit, onSubmit, busy, disabled, danger, focus, mt } = props
  return (
    <Group justify="flex-end" mt={mt}>
      <Button variant="default" onClick={onCancel} data-autofocus={focus === 'cancel' || undefined}>
        {fr.common.cancel}
      </Button>
      <Button
        type={onSubmit === undefined ? 'submit' : 'button'}
        color={danger === true ? 'red' : undefined}
        loading={busy}
        disabled={disabled}
        onClick={onSubmit}
        data-autofocus={focus === 'submit' || undefined}
      >
        {submit}
      </Button>
    </Group>
  )
}
