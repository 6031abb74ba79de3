import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { type AccountPlan, accountRoutes } from '@narval/contracts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, errorText, LoadingState } from '../../ui/page.tsx'
import classes from './accounts.module.css'
import { fr } from './fr.ts'

export interface Named {
  readonly idUser: number
  readonly login: string
}

interface PasswordDialogProps {
  /** Null: nothing is shown. */
  readonly password: string | null
  readonly login: string
  readonly until?: string | null
  readonly onClose: () => void
}

/** A provisional password, this once: it closes by its button alone. */
export const PasswordDialog = ({ password, login, until = null, onClose }: PasswordDialogProps) => (
  <Modal
    opened={password !== null}
    onClose={onClose}
    title={<strong>{fr.password.title}</strong>}
    centered
    closeOnClickOutside={false}
    closeOnEscape={false}
    withCloseButton={false}
  >
    <Stack gap="md">
      <Text size="sm" role="status">
        {fr.password.intro(login)} {fr.password.first} {until !== null && fr.password.until(formatDateTime(until))}
      </Text>
      <CopyText text={password ?? ''} label={fr.password.label} words={fr.password} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{fr.password.close}</Button>
      </Group>
    </Stack>
  </Modal>
)

interface AccountDialogProps {
  readonly account: Named
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks, resets, then shows the new password. */
export const ResetDialog = ({ account, onClose, onDone }: AccountDialogProps) => {
  const client = useQueryClient()
  const reset = useMutation({
    mutationFn: () => call(accountRoutes.passwordReset, { params: { id: account.idUser } }),
    onSuccess: () => client.invalidateQueries(),
  })
  const password = reset.data?.temporaryPassword ?? null
  if (password !== null) return <PasswordDialog password={password} login={account.login} onClose={onDone} />
  return (
    <Modal opened onClose={onClose} title={<strong>{fr.reset.title(account.login)}</strong>} centered>
      <Stack gap="md">
        <Text size="sm">{fr.reset.text}</Text>
        <Refused error={reset.error} />
        <DialogActions
          onCancel={onClose}
          submit={fr.reset.submit}
          onSubmit={() => reset.mutate()}
          busy={reset.isPending}
          focus="cancel"
        />
      </Stack>
    </Modal>
  )
}

export const Refused = ({ error }: { readonly error: Error | null }) =>
  error === null ? null : (
    <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={fr.done.failed}>
      <p>{errorText(error)}</p>
    </Notice>
  )

const { deletion: words } = fr
type Countable = Exclude<keyof AccountPlan, never>
const GOES = ['sessions', 'apiTokens', 'views', 'sharedViews', 'notifications'] as const
const STAYS = ['comments', 'acknowledgements', 'maintenances', 'ownedIncidents'] as const
const CHANGES = ['notificationRules', 'fieldValues'] as const

const Lines = ({ title, plan, kinds }: { title: string; plan: AccountPlan; kinds: readonly Countable[] }) => {
  const shown = kinds.filter(kind => plan[kind] > 0)
  if (shown.length === 0) return null
  return (
    <div>
      <p className={classes.planTitle}>{title}</p>
      <ul className={classes.plan}>
        {shown.map(kind => (
          <li key={kind}>{words[kind](plan[kind])}</li>
        ))}
      </ul>
    </div>
  )
}

/** Says what becomes of what the account owns, asks, and deletes. */
export const DeleteAccountDialog = ({ account, onClose, onDone }: AccountDialogProps) => (
  <DeletePlanned
    name={account.login}
    sure={words.sure}
    plan={signal => call(accountRoutes.plan, { params: { id: account.idUser }, signal })}
    run={() => call(accountRoutes.delete, { params: { id: account.idUser } })}
    onClose={onClose}
    onDone={onDone}
  >
    {plan => (
      <>
        {GOES.every(kind => plan[kind] === 0) && <Text size="sm">{words.nothing}</Text>}
        <Lines title={words.goes} plan={plan} kinds={GOES} />
        <Lines title={words.stays} plan={plan} kinds={STAYS} />
        <Lines title={words.changes} plan={plan} kinds={CHANGES} />
        <Text size="sm" c="dimmed">
          {words.history}
        </Text>
      </>
    )}
  </DeletePlanned>
)

interface DeletePlannedProps<P> {
  readonly name: string
  readonly sure: string
  readonly plan: (signal: AbortSignal) => Promise<P>
  readonly run: () => Promise<unknown>
  readonly onClose: () => void
  readonly onDone: () => void
  readonly children: (plan: P) => ReactNode
}

/** A deletion whose consequences are told before it is confirmed. */
export const DeletePlanned = <P,>(props: DeletePlannedProps<P>) => {
  const { name, sure: sureLabel, plan, run, onClose, onDone, children } = props
  const [sure, setSure] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['deletion-plan', name],
    queryFn: ({ signal }) => plan(signal),
    gcTime: 0,
    staleTime: 0,
  })
  const deletion = useMutation({ mutationFn: run, onSuccess: onDone })
  return (
    <Modal opened onClose={onClose} title={<strong>{words.title(name)}</strong>} centered>
      <Stack gap="md">
        {data === undefined && error === null && <LoadingState height={96} />}
        {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data !== undefined && children(data)}
        {data !== undefined && (
          <Checkbox label={sureLabel} checked={sure} onChange={event => setSure(event.currentTarget.checked)} />
        )}
        <Refused error={deletion.error} />
        <DialogActions
          onCancel={onClose}
          submit={words.submit}
          onSubmit={() => deletion.mutate()}
          busy={deletion.isPending}
          disabled={!sure}
          danger
          focus="cancel"
        />
      </Stack>
    </Modal>
  )
}
