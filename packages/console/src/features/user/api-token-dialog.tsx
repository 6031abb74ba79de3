import { Button, Group, Modal, MultiSelect, NativeSelect, Text, TextInput } from '@mantine/core'
import { apiTokenRoutes, CLAIM_TEXTS, CLAIMS, type Claim } from '@narval/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fr as common } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/http.ts'
import { useSession } from '../../lib/session.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import classes from './my-account.module.css'

const { tokens: words } = fr
export const API_TOKENS_KEY = ['account', 'api-tokens']
const DAYS = ['7', '30', '90', '365'] as const

interface ApiTokenDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** A new token: its name, its life, its rights; then the token itself, this once. */
export const ApiTokenDialog = ({ opened, onClose }: ApiTokenDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={<strong>{words.dialog}</strong>} size="lg" centered>
    <Content onClose={onClose} />
  </Modal>
)

const Content = ({ onClose }: Pick<ApiTokenDialogProps, 'onClose'>) => {
  const client = useQueryClient()
  const creation = useMutation({
    mutationFn: (body: { name: string; days: number; claims: { claim: Claim }[] }) =>
      call(apiTokenRoutes.create, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: API_TOKENS_KEY }),
  })
  if (creation.data !== undefined) return <Made token={creation.data.token} onClose={onClose} />
  return (
    <Form
      busy={creation.isPending}
      refusal={creation.error}
      onSubmit={(name, days, claims) => creation.mutate({ name, days, claims: claims.map(claim => ({ claim })) })}
      onClose={onClose}
    />
  )
}

interface FormProps {
  readonly busy: boolean
  readonly refusal: Error | null
  readonly onSubmit: (name: string, days: number, claims: readonly Claim[]) => void
  readonly onClose: () => void
}

const Form = ({ busy, refusal, onSubmit, onClose }: FormProps) => {
  const { can } = useSession()
  const [name, setName] = useState('')
  const [days, setDays] = useState<string>('90')
  const [claims, setClaims] = useState<readonly string[]>([])
  const [tried, setTried] = useState(false)
  const fields = refusal instanceof ApiError ? (refusal.problem.fields ?? {}) : {}
  const nameError = tried && name.trim() === '' ? common.common.required : fields.name
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (name.trim() === '') return
    onSubmit(
      name,
      Number(days),
      CLAIMS.filter(claim => claims.includes(claim)),
    )
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label={words.name}
        description={words.nameHelp}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
        error={nameError}
        maxLength={64}
        withAsterisk
        data-autofocus
        autoComplete="off"
      />
      <NativeSelect
        label={words.life}
        value={days}
        onChange={event => setDays(event.currentTarget.value)}
        data={DAYS.map(value => ({ value, label: words.days(Number(value)) }))}
      />
      <MultiSelect
        label={words.claims}
        description={words.claimsHelp}
        value={[...claims]}
        onChange={setClaims}
        data={CLAIMS.filter(claim => can(claim)).map(value => ({ value, label: CLAIM_TEXTS[value].label }))}
        placeholder={claims.length === 0 ? words.readOnly : ''}
        nothingFoundMessage={words.noClaim}
        clearable
        searchable
      />
      {refusal !== null && fields.name === undefined && (
        <p className={classes.refused} role="alert">
          {errorText(refusal)}
        </p>
      )}
      <DialogActions onCancel={onClose} submit={words.submit} busy={busy} />
    </form>
  )
}

const Made = ({ token, onClose }: { readonly token: string; readonly onClose: () => void }) => (
  <div className={classes.form}>
    <Text size="sm" role="status">
      {words.once}
    </Text>
    <CopyText text={token} label={words.token} words={words} />
    <div>
      <p className={classes.note}>{words.example}</p>
      <CopyText
        text={`curl -H "Authorization: Bearer ${token}" ${location.origin}/api/Host/Get`}
        label={words.example}
        words={words}
      />
    </div>
    <Group justify="flex-end">
      <Button onClick={onClose}>{words.close}</Button>
    </Group>
  </div>
)
