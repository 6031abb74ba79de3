import { Button, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  CREDENTIAL_KINDS,
  CREDENTIAL_ROUTES,
  type CredentialKind,
  type CredentialOwner,
  type Credentials,
} from '@narval/contracts'
import { IconKeyOff } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { credential as words } from '../i18n/credential.ts'
import { call } from '../lib/api.ts'
import { formatAgo } from '../lib/format.ts'
import { LoginForm, SnmpForm } from './credential-form.tsx'
import classes from './credentials-panel.module.css'
import { Notice } from './notice.tsx'
import { Card, ErrorState, errorText, LoadingState } from './page.tsx'
import { RotateKey } from './rotate-key.tsx'

interface CredentialsPanelProps {
  readonly owner: CredentialOwner
  readonly id: number
  readonly title?: string
  /** Without the claim to write nothing of it is shown: the server tells it to nobody else. */
  readonly canWrite: boolean
}

/** The credentials of a site, a host or a monitoring model, each with where it comes from. */
export const CredentialsPanel = ({ owner, id, title = words.title, canWrite }: CredentialsPanelProps) => {
  const queryKey = ['credentials', owner, id]
  const client = useQueryClient()
  const { data, error, refetch, isPending } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(CREDENTIAL_ROUTES[owner].get, { params: { id }, signal }),
    enabled: canWrite,
  })
  const [editing, setEditing] = useState<CredentialKind | null>(null)
  if (!canWrite) return null
  const close = (): void => {
    setEditing(null)
    // What somebody else did meanwhile shows too.
    void client.invalidateQueries({ queryKey: ['credentials'] })
  }
  const saved = (): void => {
    notifications.show({ color: 'green', message: words.saved })
    close()
  }
  return (
    <Card title={title} className={classes.panel}>
      <p className={classes.note}>{words.help}</p>
      {isPending && <LoadingState height={120} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <ul className={classes.list}>
          {CREDENTIAL_KINDS.map(kind => (
            <Kind key={kind} owner={owner} id={id} kind={kind} present={data} onEdit={() => setEditing(kind)} />
          ))}
        </ul>
      )}
      <RotateKey />
      <Modal
        opened={editing !== null}
        onClose={close}
        title={<strong>{dialogTitle(editing, data)}</strong>}
        size="lg"
        centered
        closeOnClickOutside={false}
      >
        {data !== undefined && editing === 'snmp' && (
          <SnmpForm owner={owner} id={id} present={data} onSaved={saved} onCancel={close} />
        )}
        {data !== undefined && editing !== null && editing !== 'snmp' && (
          <LoginForm kind={editing} owner={owner} id={id} present={data} onSaved={saved} onCancel={close} />
        )}
      </Modal>
    </Card>
  )
}

const dialogTitle = (kind: CredentialKind | null, present: Credentials | undefined): string => {
  if (kind === null || present === undefined) return ''
  return (present[kind].own === null ? words.define : words.edit)(words.kinds[kind])
}

interface KindProps {
  readonly owner: CredentialOwner
  readonly id: number
  readonly kind: CredentialKind
  readonly present: Credentials
  readonly onEdit: () => void
}

/** What is in force of one kind, and what one can do about it. */
const Kind = ({ owner, id, kind, present, onEdit }: KindProps) => {
  const client = useQueryClient()
  const [armed, setArmed] = useState(false)
  const removal = useMutation({
    mutationFn: () => call(CREDENTIAL_ROUTES[owner].delete, { params: { id }, query: { kind } }),
    onSuccess: () => notifications.show({ color: 'green', message: words.removed }),
    onSettled: () => {
      setArmed(false)
      return client.invalidateQueries({ queryKey: ['credentials'] })
    },
  })
  const { own, effective } = present[kind]
  const label = words.kinds[kind]
  return (
    <li className={classes.kind}>
      <div className={classes.text}>
        <strong>{label}</strong>
        <span>{originText(owner, present[kind])}</span>
        {effective !== null && <span className={classes.note}>{summaryText(present, kind)}</span>}
      </div>
      {own !== null && !armed && (
        <Button size="compact-sm" variant="subtle" color="red" onClick={() => setArmed(true)}>
          {owner === 'model' ? words.remove : words.back}
        </Button>
      )}
      {armed && (
        <Button
          size="compact-sm"
          color="red"
          loading={removal.isPending}
          onClick={() => removal.mutate()}
          onBlur={() => setArmed(false)}
          autoFocus
        >
          {words.confirm}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        onClick={onEdit}
        aria-label={own === null ? words.define(label) : words.edit(label)}
      >
        {own === null ? words.defineShort : words.editShort}
      </Button>
      {effective?.unreadable === true && (
        <Notice tone="warning" icon={<IconKeyOff size={18} />} title={words.unreadableTitle}>
          <p>{words.unreadable}</p>
        </Notice>
      )}
      {removal.error !== null && (
        <p className={classes.note} role="alert">
          {errorText(removal.error)}
        </p>
      )}
    </li>
  )
}

/** « Hérité du site Lyon », « Propre à cet équipement », « Aucun ». */
const originText = (owner: CredentialOwner, { own, effective }: Credentials[CredentialKind]): string => {
  if (own !== null) return words.own[owner]
  return effective === null ? words.none : words.inherited[effective.origin.kind](effective.origin.name)
}

const summaryText = (present: Credentials, kind: CredentialKind): string => {
  const shown = present[kind].effective
  if (shown === null) return ''
  const changed = words.changed(shown.updatedBy, formatAgo(shown.updatedAt, Date.now()))
  const { settings } = shown
  if ('username' in settings) return [words.summary.user(settings.username), changed].join(' · ')
  const { version, port, user, authProtocol, privProtocol } = settings
  const secured = [words.summary.user(user), authProtocol, privProtocol].filter(part => part !== 'none')
  return [version, words.summary.port(port), ...(version === 'v3' ? secured : []), changed].join(' · ')
}
