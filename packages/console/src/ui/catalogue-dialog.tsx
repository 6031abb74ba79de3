import { Modal, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { catalogue as words } from '../i18n/catalogue.ts'
import { form } from '../i18n/form.ts'
import { ApiError } from '../lib/http.ts'
import classes from './catalogue.module.css'
import { DialogActions } from './dialog-actions.tsx'
import { Notice } from './notice.tsx'
import { errorText } from './page.tsx'
import { useFocusReturn } from './use-focus-return.ts'

interface CatalogueDialogProps<T> {
  readonly title: string
  /** Null: a new one. */
  readonly name: string | null
  readonly maxLength: number
  /** Fields beside the name. */
  readonly children: ReactNode
  readonly save: (name: string) => Promise<T>
  readonly onClose: () => void
  readonly onSaved: (saved: T) => void
}

/** Names one entry of a short list; a name that is taken is said beside it. */
export const CatalogueDialog = <T,>(props: CatalogueDialogProps<T>) => {
  const { title, maxLength, children, save, onClose, onSaved } = props
  const [name, setName] = useState(props.name ?? '')
  useFocusReturn()
  const [tried, setTried] = useState(false)
  const saving = useMutation({ mutationFn: () => save(name), onSuccess: onSaved })
  const ofName = saving.error instanceof ApiError ? saving.error.problem.fields?.name : undefined
  const missing = name.trim() === ''
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // The dialog may stand within another form, which is not what is being sent.
    event.stopPropagation()
    setTried(true)
    if (!missing) saving.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={<strong>{title}</strong>} centered>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label={words.name}
          withAsterisk
          data-autofocus
          maxLength={maxLength}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          error={tried && missing ? form.required : ofName}
        />
        {children}
        {saving.error !== null && ofName === undefined && (
          <Notice tone="error" icon={<IconAlertTriangle size={18} />}>
            <p>{errorText(saving.error)}</p>
          </Notice>
        )}
        <DialogActions
          onCancel={onClose}
          submit={props.name === null ? form.create : form.save}
          busy={saving.isPending}
        />
      </form>
    </Modal>
  )
}
