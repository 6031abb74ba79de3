import { Button, Group, Modal, PasswordInput, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { PASSWORD_MESSAGES, secondFactorRoutes } from '@narval/contracts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { call } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { ApiError } from '../../lib/http.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useSession } from '../../lib/session.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { errorText } from '../../ui/page.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { fr } from './fr.ts'
import classes from './my-account.module.css'

const { factor: words } = fr

interface DialogProps {
  readonly onClose: () => void
}

/** Password, then the secret with a first code, then the recovery codes. */
export const EnrolDialog = ({ onClose }: DialogProps) => {
  const begin = useMutation({
    mutationFn: (currentPassword: string) => call(secondFactorRoutes.begin, { body: { currentPassword } }),
  })
  const confirm = useMutation({
    mutationFn: (code: string) => call(secondFactorRoutes.confirm, { body: { code } }),
    onSuccess: () => notifications.show({ color: 'green', message: words.enabled }),
  })
  if (confirm.data !== undefined) return <Codes codes={confirm.data.recoveryCodes} onClose={onClose} />
  if (begin.data === undefined)
    return (
      <ProofDialog
        key="password"
        title={words.enableTitle}
        submit={words.begin}
        busy={begin.isPending}
        error={begin.error}
        onSubmit={({ currentPassword }) => begin.mutate(currentPassword)}
        onClose={onClose}
      />
    )
  return (
    <ProofDialog
      key="code"
      title={words.enableTitle}
      asks="code"
      submit={words.confirm}
      busy={confirm.isPending}
      error={confirm.error}
      onSubmit={({ code }) => confirm.mutate(code)}
      onClose={onClose}
    >
      <Text size="sm">{words.scan}</Text>
      <QrCode text={begin.data.uri} label={words.qr} />
      <Text size="sm">{words.byHand}</Text>
      <CopyText text={begin.data.secret} label={words.secret} words={words} />
      <Text size="sm">
        {words.nextStep} {words.endsOthers}
      </Text>
    </ProofDialog>
  )
}

/** Recovery codes anew, for the password and a code. */
export const RenewDialog = ({ onClose }: DialogProps) => {
  const renewal = useMutation({
    mutationFn: (body: Proof) => call(secondFactorRoutes.renewCodes, { body }),
  })
  if (renewal.data !== undefined) return <Codes codes={renewal.data.recoveryCodes} onClose={onClose} />
  return (
    <ProofDialog
      title={words.renewTitle}
      asks="both"
      submit={words.submitRenew}
      busy={renewal.isPending}
      error={renewal.error}
      onSubmit={renewal.mutate}
      onClose={onClose}
    >
      <Text size="sm">{words.renewText}</Text>
    </ProofDialog>
  )
}

/** Takes one's own second factor away. */
export const RemoveDialog = ({ onClose }: DialogProps) => {
  const removal = useMutation({
    mutationFn: (body: Proof) => call(secondFactorRoutes.remove, { body }),
    onSuccess: () => {
      notifications.show({ color: 'green', message: words.removed })
      onClose()
    },
  })
  return (
    <ProofDialog
      title={words.removeTitle}
      asks="both"
      submit={words.submitRemove}
      danger
      busy={removal.isPending}
      error={removal.error}
      onSubmit={removal.mutate}
      onClose={onClose}
    >
      <Text size="sm">{words.removeText}</Text>
    </ProofDialog>
  )
}

interface Proof {
  readonly currentPassword: string
  readonly code: string
}
interface ProofDialogProps extends DialogProps {
  readonly title: string
  /** The password alone unless told. */
  readonly asks?: 'code' | 'both'
  readonly submit: string
  readonly danger?: boolean
  readonly busy: boolean
  readonly error: unknown
  readonly onSubmit: (proof: Proof) => void
  readonly children?: ReactNode
}

/** What a change of the second factor has to be shown: the password, a code, or both. */
const ProofDialog = ({ title, asks, submit, danger, busy, error, onSubmit, onClose, children }: ProofDialogProps) => {
  const [currentPassword, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const fields = error instanceof ApiError ? (error.problem.fields ?? {}) : {}
  const [needsPassword, needsCode] = [asks !== 'code', asks !== undefined]
  const send = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if ((needsPassword && currentPassword === '') || (needsCode && code.trim() === '') || busy) return
    onSubmit({ currentPassword, code })
  }
  const isGeneral = error !== null && fields.code === undefined && fields.currentPassword === undefined
  return (
    <Modal opened onClose={onClose} title={<strong>{title}</strong>} centered closeOnClickOutside={false}>
      <form className={classes.form} onSubmit={send} noValidate>
        {children}
        {needsPassword && (
          <PasswordInput
            label={words.password}
            autoComplete="current-password"
            value={currentPassword}
            onChange={event => setPassword(event.currentTarget.value)}
            error={tried && currentPassword === '' ? PASSWORD_MESSAGES.required : fields.currentPassword}
            visibilityToggleButtonProps={{ 'aria-label': fr.showPassword }}
            data-autofocus
          />
        )}
        {needsCode && (
          <TextInput
            label={asks === 'code' ? words.code : words.codeOrRecovery}
            autoComplete="one-time-code"
            inputMode={asks === 'code' ? 'numeric' : 'text'}
            maxLength={32}
            value={code}
            onChange={event => setCode(event.currentTarget.value)}
            error={tried && code.trim() === '' ? words.codeRequired : fields.code}
            data-autofocus={asks === 'code' || undefined}
          />
        )}
        {isGeneral && (
          <p className={classes.refused} role="alert">
            {errorText(error)}
          </p>
        )}
        <DialogActions onCancel={onClose} submit={submit} busy={busy} danger={danger ?? false} />
      </form>
    </Modal>
  )
}

/** Recovery codes, this once: it closes by its button alone. */
const Codes = ({ codes, onClose }: DialogProps & { readonly codes: readonly string[] }) => {
  const { user } = useSession()
  const text = codes.join('\n')
  const download = (): void => {
    const head = words.fileHead(user?.login ?? '', formatDateTime(Date.now()))
    saveFile(words.fileName, new Blob([`${head}\n\n${text}\n`], { type: 'text/plain' }))
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong>{words.codesTitle}</strong>}
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={classes.form}>
        <Text size="sm" role="status">
          {words.codesText}
        </Text>
        <CopyText text={text} label={words.codes} lines words={words} />
        <Group justify="space-between">
          <Button variant="default" onClick={download}>
            {words.download}
          </Button>
          <Button onClick={onClose}>{words.kept}</Button>
        </Group>
      </div>
    </Modal>
  )
}
