import { Button, TextInput } from '@mantine/core'
import { type ChannelKind, type ChannelTestReply, isPersonal } from '@narval/contracts'
import { IconAlertTriangle, IconCheck, IconSend } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatMilliseconds } from '../../lib/format.ts'
import { FIELD_ORDER } from '../../ui/form-fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/page.tsx'
import classes from './channel.module.css'
import { fr } from './fr.ts'

const { test: words } = fr

interface ChannelTestProps {
  readonly kind: ChannelKind
  /** Sends a message; `to`: '' for the default. Null: what was typed is not right, nothing is sent. */
  readonly send: (to: string) => Promise<ChannelTestReply | null>
  readonly onDone?: () => void
}

/** Sends a message by a channel and shows what comes back, as it is. */
export const ChannelTest = ({ kind, send, onDone }: ChannelTestProps) => {
  const [to, setTo] = useState('')
  const test = useMutation({ mutationFn: () => send(to.trim()), onSettled: () => onDone?.() })
  const result = useRef<HTMLDivElement>(null)
  const { status } = test
  // The bar of actions would hide what was just asked for.
  useEffect(() => {
    if (status !== 'idle' && status !== 'pending') result.current?.scrollIntoView({ block: 'nearest' })
  }, [status])
  return (
    <div className={classes.test}>
      <div className={classes.testRow}>
        {isPersonal(kind) && (
          <TextInput
            label={words.to}
            description={kind === 'sms' ? words.toHelp.sms : words.toHelp.email}
            inputWrapperOrder={FIELD_ORDER}
            value={to}
            onChange={event => setTo(event.currentTarget.value)}
            onKeyDown={event => {
              // In a form, Enter would save it.
              if (event.key === 'Enter') event.preventDefault()
            }}
            autoComplete="off"
          />
        )}
        <Button
          variant="default"
          leftSection={<IconSend size={16} />}
          loading={test.isPending}
          // The field that is left would say what is wrong of it and push the button away from under the pointer.
          onMouseDown={event => event.preventDefault()}
          onClick={() => test.mutate()}
        >
          {words.button}
        </Button>
      </div>
      <div aria-live="polite" ref={result} className={classes.result}>
        {test.error !== null && (
          <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.refused}>
            <p>{errorText(test.error)}</p>
          </Notice>
        )}
        {test.data === null && <p className={classes.muted}>{words.fix}</p>}
        {test.data != null && <TestAnswer reply={test.data} />}
      </div>
    </div>
  )
}

const TestAnswer = ({ reply }: { readonly reply: ChannelTestReply }) => (
  <Notice
    tone={reply.ok ? 'neutral' : 'error'}
    icon={reply.ok ? <IconCheck size={18} /> : <IconAlertTriangle size={18} />}
    title={reply.ok ? words.sent(reply.recipient) : words.failed}
  >
    {reply.error !== '' && <p>{reply.error}</p>}
    <p className={classes.muted}>
      {words.answer} {words.duration(formatMilliseconds(reply.durationMs))}
    </p>
    {reply.answer !== '' && <pre className={classes.answer}>{reply.answer}</pre>}
  </Notice>
)
