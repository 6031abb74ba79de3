import { Button, Checkbox, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { BulkReply } from '@narval/contracts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { bulk as words } from '../i18n/bulk.ts'
import { form } from '../i18n/form.ts'
import classes from './bulk-dialog.module.css'
import { LIST_KEY } from './live-rows.ts'
import { Notice } from './notice.tsx'
import { errorText } from './page.tsx'
import { useFocusReturn } from './use-focus-return.ts'

/** Refusals that a dialog lists one by one. */
const TOLD = 8

interface BulkDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: string
  readonly noun: (count: number) => string
  /** Fields of the change; left out for one that has none, whose plan is then asked at once. */
  readonly children?: ReactNode
  /** False while nothing is chosen yet. */
  readonly ready: boolean
  readonly destructive?: boolean
  /** Says what it would do when `plan` is true, and does it when false. */
  readonly run: (plan: boolean) => Promise<BulkReply>
  readonly onDone: () => void
  /** Takes the focus afterwards when what opened the dialog is gone, as an item of a menu is. */
  readonly backTo?: RefObject<HTMLElement | null>
}

/** A change of many records: what is to change, then what that would do, then only it is done. */
export const BulkDialog = ({ opened, onClose, title, ...rest }: BulkDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={<strong>{title}</strong>} centered size="lg">
    <BulkContent onClose={onClose} {...rest} />
  </Modal>
)

const BulkContent = (props: Omit<BulkDialogProps, 'opened' | 'title'>) => {
  const { onClose, noun, children, ready, destructive = false, run, onDone } = props
  const client = useQueryClient()
  useFocusReturn(props.backTo)
  const [sure, setSure] = useState(false)
  const plan = useMutation({ mutationFn: () => run(true) })
  const change = useMutation({
    mutationFn: () => run(false),
    onSuccess: async reply => {
      await client.invalidateQueries({ queryKey: [LIST_KEY] })
      const say = destructive ? words.deleted : words.done
      notifications.show({ message: say(noun(reply.changed), reply.changed), color: 'green' })
      onDone()
    },
  })
  const asksAtOnce = children === undefined
  const { mutate: foresee } = plan
  useEffect(() => {
    if (asksAtOnce) foresee()
  }, [asksAtOnce, foresee])
  const planned = plan.data ?? null
  const error = change.error ?? plan.error
  return (
    <Stack gap="md">
      {planned === null && children}
      {plan.isPending && asksAtOnce && (
        <Group gap="sm">
          <Loader size="xs" />
          <Text size="sm">{words.planning}</Text>
        </Group>
      )}
      {planned !== null && <Plan reply={planned} noun={noun} />}
      {planned !== null && destructive && planned.changed > 0 && (
        <Checkbox
          label={words.confirmDeletion}
          checked={sure}
          onChange={event => setSure(event.currentTarget.checked)}
        />
      )}
      {error !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.failed}>
          <p>{errorText(error)}</p>
        </Notice>
      )}
      <Group justify="flex-end">
        {planned !== null && !asksAtOnce ? (
          <Button variant="default" onClick={plan.reset}>
            {words.back}
          </Button>
        ) : (
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
        )}
        {planned === null && !asksAtOnce && (
          <Button disabled={!ready} loading={plan.isPending} onClick={() => plan.mutate()}>
            {words.foresee}
          </Button>
        )}
        {planned !== null && (
          <Button
            color={destructive ? 'red' : undefined}
            disabled={planned.changed === 0 || (destructive && !sure)}
            loading={change.isPending}
            onClick={() => change.mutate()}
          >
            {destructive ? words.delete : words.apply(planned.changed)}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

const Plan = ({ reply, noun }: { readonly reply: BulkReply; readonly noun: (count: number) => string }) => {
  const { changed, unchanged, refused, refusals, deletion } = reply
  const along =
    deletion === null
      ? []
      : (['sites', 'hosts', 'scanners', 'metrics', 'comments'] as const).flatMap(kind =>
          deletion[kind] > 0 ? [form.plan[kind](deletion[kind])] : [],
        )
  return (
    <div className={classes.plan}>
      <p className={classes.main}>
        {deletion !== null && along.length > 0
          ? words.takenAlong(along)
          : changed === 0
            ? words.nothing
            : words.willChange(noun(changed), changed)}
      </p>
      {deletion !== null && changed > 0 && <p>{words.forGood}</p>}
      {unchanged > 0 && <p>{words.unchanged(unchanged)}</p>}
      {refused > 0 && (
        <>
          <p>{words.refused(refused)}</p>
          <ul className={classes.refusals}>
            {refusals.slice(0, TOLD).map(({ id, name, errors }) => (
              <li key={id}>
                <strong>{name}</strong> {errors.join(' ')}
              </li>
            ))}
            {refused > TOLD && <li>{words.moreRefused(refused - TOLD)}</li>}
          </ul>
        </>
      )}
    </div>
  )
}
