import { UnstyledButton } from '@mantine/core'
import { CHANNEL_KINDS, type ChannelKind, type NotificationChannel, notificationChannelRoutes } from '@narval/contracts'
import { useSearchParams } from 'react-router'
import { call } from '../../lib/api.ts'
import { EditorPage } from '../../ui/editor-page.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { RecordEditor } from '../../ui/record-editor.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { useListReturn } from '../../ui/use-list-return.ts'
import classes from './channel.module.css'
import { ChannelForm } from './channel-form.tsx'
import { ChannelIcon } from './channel-icon.tsx'
import { fr } from './fr.ts'

const LIST = '/system/notification'

/** /system/notification/channel/new: the kind first, then its form. */
export const ChannelNewPage = () => {
  const [params, setParams] = useSearchParams()
  const kind = CHANNEL_KINDS.find(one => one === params.get('kind')) ?? null
  const back = useListReturn(LIST)
  if (kind === null) return <KindChoice onChoose={chosen => setParams({ kind: chosen })} />
  return (
    <>
      <PageHeader meta={fr.kinds[kind]} />
      <ChannelForm channel={null} kind={kind} {...back} />
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
          <strong>{fr.kinds[kind]}</strong>
          <span className={classes.muted}>{fr.kindHelp[kind]}</span>
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
  return (
    <RecordEditor
      list={LIST}
      name={channel.name}
      run={() => call(notificationChannelRoutes.delete, { params: { id: channel.id } })}
    >
      {actions => (
        <>
          <PageHeader title={channel.name} meta={fr.kinds[channel.kind]} />
          <ChannelForm channel={channel} kind={channel.kind} {...actions} />
        </>
      )}
    </RecordEditor>
  )
}
