import { Anchor, Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type BodyInput, displayRoutes } from '@narval/contracts'
import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fr as common } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/http.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { WALL_UNASKED, type WallChoice, wallQuery } from '../../lib/wall-choice.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/page.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import { WallOptions } from '../../ui/wall-options.tsx'
import { fr } from './fr.ts'

export const DISPLAYS_KEY = ['display-tokens']
const DAYS = ['30', '90', '365', '1095'] as const

interface DisplayDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** A new token: its name, its site, its life; then the address to open, this once. */
export const DisplayDialog = ({ opened, onClose }: DisplayDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={<strong>{fr.dialog}</strong>} size="lg" centered>
    <Content onClose={onClose} />
  </Modal>
)

const Content = ({ onClose }: Pick<DisplayDialogProps, 'onClose'>) => {
  const client = useQueryClient()
  const creation = useMutation({
    mutationFn: (body: BodyInput<typeof displayRoutes.create>) => call(displayRoutes.create, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: DISPLAYS_KEY }),
  })
  if (creation.data !== undefined) return <Made token={creation.data.token} onClose={onClose} />
  return <Form busy={creation.isPending} refusal={creation.error} onSubmit={creation.mutate} onClose={onClose} />
}

interface FormProps {
  readonly busy: boolean
  readonly refusal: Error | null
  readonly onSubmit: (body: BodyInput<typeof displayRoutes.create>) => void
  readonly onClose: () => void
}

const Form = ({ busy, refusal, onSubmit, onClose }: FormProps) => {
  const [name, setName] = useState('')
  const [siteId, setSiteId] = useState<number | null>(null)
  const [days, setDays] = useState('365')
  const [tried, setTried] = useState(false)
  const fields = refusal instanceof ApiError ? (refusal.problem.fields ?? {}) : {}
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (name.trim() !== '') onSubmit({ name, siteId, days: Number(days) })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={fr.name}
          description={fr.nameHelp}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          error={tried && name.trim() === '' ? common.common.required : fields.name}
          maxLength={64}
          withAsterisk
          data-autofocus
          autoComplete="off"
        />
        <RemoteSelect
          label={fr.site}
          help={fr.siteHelp}
          source={siteOptions}
          value={siteId}
          onChange={setSiteId}
          placeholder={fr.allSites}
          error={fields.siteId}
        />
        <NativeSelect
          label={fr.life}
          value={days}
          onChange={event => setDays(event.currentTarget.value)}
          data={DAYS.map(value => ({ value, label: fr.days(Number(value)) }))}
        />
        {refusal !== null && Object.keys(fields).length === 0 && (
          <Notice tone="error" icon={<IconAlertTriangle size={18} />}>
            <p>{errorText(refusal)}</p>
          </Notice>
        )}
        <DialogActions onCancel={onClose} submit={fr.submit} busy={busy} />
      </Stack>
    </form>
  )
}

const Made = ({ token, onClose }: { readonly token: string; readonly onClose: () => void }) => {
  const [choice, setChoice] = useState<WallChoice>(WALL_UNASKED)
  const address = `${location.origin}/wall${wallQuery(choice)}#${token}`
  return (
    <Stack gap="md">
      <Text size="sm" role="status">
        {fr.once}
      </Text>
      <WallOptions choice={choice} onChange={setChoice} />
      <CopyText text={address} label={fr.address} words={fr} />
      <Text size="sm" c="dimmed">
        {fr.fragment}
      </Text>
      <Group justify="space-between">
        <Anchor href={address} target="_blank" rel="noreferrer" size="sm">
          <IconExternalLink size={14} /> {fr.open}
        </Anchor>
        <Button onClick={onClose}>{fr.close}</Button>
      </Group>
    </Stack>
  )
}
