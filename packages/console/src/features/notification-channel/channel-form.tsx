import { type ChannelKind, type NotificationChannel, notificationChannelRoutes } from '@narval/contracts'
import { call } from '../../lib/api.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { SwitchField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { KindFields } from './channel-fields.tsx'
import { TEST_TIMEOUT_MS } from './channel-queries.ts'
import { ChannelTest } from './channel-test.tsx'
import { channelForm, draftOf, readNewer, valuesOf } from './channel-values.ts'
import { fr } from './fr.ts'

const LABELS = { name: fr.fields.name, enabled: fr.fields.enabled, settings: fr.fields.settings }

interface ChannelFormProps {
  /** Null: a new one. */
  readonly channel: NotificationChannel | null
  readonly kind: ChannelKind
  readonly onSaved: (channel: NotificationChannel) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
}

/** A channel of a kind, tried out with what is typed before it is saved. */
export const ChannelForm = ({ channel, kind, onSaved, onCancel, onDelete }: ChannelFormProps) => {
  const handle = useEntityForm({
    schema: channelForm(kind),
    values: valuesOf(channel, kind),
    basedOn: channel?.updatedAt ?? null,
    labels: LABELS,
    readNewer,
    describe: { settings: () => fr.fields.settings },
    save: (body, updatedAt) =>
      channel === null || updatedAt === null
        ? call(notificationChannelRoutes.create, { body })
        : call(notificationChannelRoutes.update, { params: { id: channel.id }, body: { ...body, updatedAt } }),
    onSaved,
  })
  const { form } = handle
  const send = async (to: string) => {
    const isRight = await form.trigger('settings')
    const settings = isRight ? draftOf(kind, form.getValues('settings')) : null
    if (settings === null) return null
    return call(notificationChannelRoutes.testDraft, {
      body: asDraft({
        ...{ kind, settings },
        ...(channel === null ? {} : { id: channel.id }),
        ...(to === '' ? {} : { to }),
      }),
      timeoutMs: TEST_TIMEOUT_MS,
    })
  }
  return (
    <FormShell
      handle={handle}
      labels={LABELS}
      creating={channel === null}
      onCancel={onCancel}
      {...(onDelete === undefined ? {} : { onDelete })}
    >
      <FormSection title={fr.sections.channel} help={fr.sections.channelHelp}>
        <TextField control={form.control} name="name" label={fr.fields.name} required autoFocus />
        <SwitchField control={form.control} name="enabled" label={fr.fields.enabled} help={fr.help.enabled} />
      </FormSection>
      <KindFields kind={kind} control={form.control} secrets={channel?.secrets ?? {}} />
      <FormSection title={fr.test.title} help={fr.test.help}>
        <Wide>
          <ChannelTest kind={kind} send={send} />
        </Wide>
      </FormSection>
    </FormShell>
  )
}

type DraftInput = NonNullable<Parameters<typeof call<typeof notificationChannelRoutes.testDraft>>[1]>['body']
/** The one cast: settings were parsed by the schema of this very kind. */
const asDraft = (draft: unknown): DraftInput => draft as DraftInput
