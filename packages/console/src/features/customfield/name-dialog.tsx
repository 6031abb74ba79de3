import { Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { form as words } from '../../i18n/form.ts'
import { ApiError } from '../../lib/api.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { FIELD_ORDER } from '../../ui/form-fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'

interface Named {
  readonly name: string
  readonly description: string
}
interface NameDialogProps {
  readonly title: string
  readonly label: string
  readonly initial: Named
  /** Without a label the name stands alone. */
  readonly descriptionLabel?: string
  readonly help?: ReactNode
  readonly submitLabel: string
  readonly save: (named: Named) => Promise<void>
  readonly onClose: () => void
}

/** Asks for a name, and says beside it what the server refuses. */
export const NameDialog = (props: NameDialogProps) => {
  const { title, label, initial, descriptionLabel, help, submitLabel, save, onClose } = props
  const [named, setNamed] = useState(initial)
  const [empty, setEmpty] = useState(false)
  const mutation = useMutation({ mutationFn: save, onSuccess: onClose })
  const refused = mutation.error
  const beside = refused instanceof ApiError ? refused.problem.fields?.name : undefined
  const submit = (): void => {
    const name = named.name.trim()
    setEmpty(name === '')
    if (name !== '' && !mutation.isPending) mutation.mutate({ ...named, name })
  }
  return (
    <Modal opened onClose={onClose} title={<strong>{title}</strong>} centered>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="md">
          {refused !== null && beside === undefined && (
            <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={fr.userGroups.refused}>
              <p>{errorText(refused)}</p>
            </Notice>
          )}
          <TextInput
            label={label}
            description={help}
            inputWrapperOrder={FIELD_ORDER}
            value={named.name}
            onChange={event => setNamed({ ...named, name: event.currentTarget.value })}
            maxLength={80}
            withAsterisk
            autoComplete="off"
            data-autofocus
            error={empty ? words.required : beside}
          />
          {descriptionLabel !== undefined && (
            <Textarea
              label={descriptionLabel}
              value={named.description}
              onChange={event => setNamed({ ...named, description: event.currentTarget.value.replace(/\n/g, ' ') })}
              maxLength={300}
              autosize
              minRows={2}
            />
          )}
          <DialogActions onCancel={onClose} submit={submitLabel} busy={mutation.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
