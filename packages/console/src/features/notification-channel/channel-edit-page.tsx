import { UnstyledButton } from '@mantine/core'
import { CHANNEL_KINDS, type ChannelKind, type NotificationChannel, notificationChannelRoutes } from '@narval/contracts'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { form as words } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { EditorPage } from '../../ui/editor-page.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import classes from './channel.module.css'
import { ChannelForm } from './channel-form.tsx'
import { ChannelIcon } from './channel-icon.tsx'
import { useChannelsAgain } from './channel-queries.ts'
import { fr } from './fr.ts'

const LIST = '/system/notification'

/** /system/notification/channel/new: the kind first, then its form. */
export const ChannelNewPage = () => {
  const [params, setParams] = useSearchParams()
  const kind = CHANNEL_KINDS.find(one => one === params.get('kind')) ?? null
  const navigate = useNavigate()
  const afterSaving = useAfterSaving()
  const again = useChannelsAgain()
  if (kind === null) return <KindChoice onChoose={chosen => setParams({ kind: chosen })} />
  return (
    <>
      <PageHeader meta={fr.kinds[kind].label} />
      <ChannelForm
        channel={null}
        kind={kind}
        onCancel={() => void navigate(LIST)}
        onSaved={({ name }) => {
          again()
          afterSaving(words.saved(name), LIST)
        }}
      />
    </>
  )
}

const KindChoice = ({ onChoose }: { readonly onChoose: (kind: ChannelKind) => void }) => (
  <section aria-label={fr.chooseKind} className={classes.gallery}>
    {CHANNEL_KINDS.map(kind => (
      <UnstyledButton key={kind} className={classes.kind} onClick={() => onChoose(kind)}>
        <span className={classes.icon}>
          <ChannelIcon kind={kind} />
        </span>
        <span>
          <strong>{fr.kinds[kind].label}</strong>
          <span className={classes.muted}>{fr.kinds[kind].text}</span>
        </span>
      </UnstyledButton>
    ))}
  </section>
)

/** /system/notification/channel/:id */
export const ChannelEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage
      record={['notification-channel', id]}
      load={signal => call(notificationChannelRoutes.get, { params: { id }, signal })}
    >
      {channel => <ChannelEditor channel={channel} />}
    </EditorPage>
  )
}

const ChannelEditor = ({ channel }: { readonly channel: NotificationChannel }) => {
  const afterSaving = useAfterSaving()
  const navigate = useNavigate()
  const again = useChannelsAgain()
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <PageHeader title={channel.name} meta={fr.kinds[channel.kind].label} />
      <ChannelForm
        channel={channel}
        kind={channel.kind}
        onCancel={() => void navigate(LIST)}
        onDelete={() => setDeleting(true)}
        onSaved={({ name }) => {
          again()
          afterSaving(words.saved(name), LIST)
        }}
      />
      <DeleteDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        name={channel.name}
        plan={async () => ({})}
        run={async () => {
          await call(notificationChannelRoutes.delete, { params: { id: channel.id } })
        }}
        onDeleted={() => {
          again()
          afterSaving(words.deleted(channel.name), LIST)
        }}
      />
    </>
  )
}
