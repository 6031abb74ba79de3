import { Modal, SegmentedControl } from '@mantine/core'
import { commentRoutes } from '@narval/contracts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { comment as words } from '../../i18n/comment.ts'
import { call } from '../../lib/api.ts'
import { useRefreshComments } from '../../lib/comment-queries.ts'
import { hostOptions, metricOptions, siteOptions } from '../../lib/option-sources.ts'
import { CommentEditor } from '../../ui/comment-editor.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import classes from './comments.module.css'
import { fr } from './fr.ts'

const SOURCES = { host: hostOptions, site: siteOptions, metric: metricOptions } as const
type Kind = keyof typeof SOURCES
const KINDS: readonly Kind[] = ['host', 'site', 'metric']

/** Writes on an object that one names; on an incident one writes from its page. */
export const WriteDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Modal opened onClose={onClose} title={fr.write} size="lg">
    <Form onDone={onClose} />
  </Modal>
)

const Form = ({ onDone }: { readonly onDone: () => void }) => {
  const refresh = useRefreshComments()
  const [kind, setKind] = useState<Kind>('host')
  const [id, setId] = useState<number | null>(null)
  const [text, setText] = useState('')
  const sending = useMutation({
    mutationFn: () => call(commentRoutes.create, { body: { kind, id: id ?? 0, text: text.trim() } }),
    onSuccess: async () => {
      await refresh()
      onDone()
    },
  })
  return (
    <div className={classes.write}>
      <SegmentedControl
        aria-label={fr.filters.kind}
        value={kind}
        onChange={value => {
          setKind(KINDS.find(one => one === value) ?? 'host')
          setId(null)
        }}
        data={KINDS.map(value => ({ value, label: words.kinds[value] }))}
      />
      <RemoteSelect key={kind} label={fr.writeOn} source={SOURCES[kind]} value={id} onChange={setId} required />
      {id !== null && (
        <CommentEditor
          about={{ kind, id }}
          label={words.label}
          text={text}
          onText={setText}
          onSend={() => sending.mutate()}
          onCancel={onDone}
          busy={sending.isPending}
          error={sending.error}
          sendLabel={words.send}
          focus
        />
      )}
    </div>
  )
}
