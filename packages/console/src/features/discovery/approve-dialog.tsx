import { Button, Group, Modal, TagsInput } from '@mantine/core'
import { type ApproveInput, type ApproveReply, type DiscoveryFinding, discoveryRoutes } from '@narval/contracts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/page.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { ApprovePlan } from './approve-plan.tsx'
import { type Correction, Corrections } from './corrections.tsx'
import classes from './discovery.module.css'
import { fr } from './fr.ts'

const { approve: words } = fr
/** Longest wait for hundreds of hosts with their scanners. */
const TIMEOUT_MS = 120_000

interface ApproveDialogProps {
  readonly findings: readonly DiscoveryFinding[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Findings that can be made hosts of: not one already, and there. */
const ableOf = (findings: readonly DiscoveryFinding[]): DiscoveryFinding[] =>
  findings.filter(({ hostId, state }) => hostId === null && state !== 'vanished')

/** From findings to hosts: what is proposed and may be corrected, then what that would make, then only it is made. */
export const ApproveDialog = ({ findings, onClose, onDone }: ApproveDialogProps) => {
  const able = ableOf(findings)
  const client = useQueryClient()
  useFocusReturn()
  const [siteId, setSiteId] = useState<number | null>(null)
  const [tags, setTags] = useState<string[]>([])
  const [corrections, setCorrections] = useState<ReadonlyMap<number, Correction>>(new Map())
  const bodyOf = (plan: boolean): ApproveInput => ({
    plan,
    items: able.map(({ id }) => ({
      findingId: id,
      ...corrections.get(id),
      ...(siteId !== null && { siteId }),
      ...(tags.length > 0 && { tags }),
    })),
  })
  const run = (plan: boolean) => call(discoveryRoutes.approve, { body: bodyOf(plan), timeoutMs: TIMEOUT_MS })
  const plan = useMutation({ mutationFn: () => run(true) })
  const create = useMutation({ mutationFn: () => run(false), onSuccess: () => client.invalidateQueries() })
  const close = (): void => {
    onClose()
    if (create.data !== undefined) onDone()
  }
  const error = create.error ?? plan.error
  const planned: ApproveReply | null = plan.data ?? null
  return (
    <Modal opened onClose={close} title={<strong>{words.title(able.length)}</strong>} centered size="xl">
      <div className={classes.approve}>
        {create.data !== undefined ? (
          <ApprovePlan reply={create.data} isDone />
        ) : planned !== null ? (
          <ApprovePlan reply={planned} isDone={false} />
        ) : (
          <>
            <p className={classes.help}>{words.help}</p>
            {able.length < findings.length && (
              <p className={classes.help}>{words.skipped(findings.length - able.length)}</p>
            )}
            <div className={classes.forAll}>
              <RemoteSelect
                label={words.site}
                help={words.siteHelp}
                source={siteOptions}
                value={siteId}
                onChange={setSiteId}
              />
              <TagsInput label={words.tags} value={tags} onChange={setTags} splitChars={[',', ';']} clearable />
            </div>
            <Corrections
              findings={able}
              corrections={corrections}
              onChange={(id, correction) =>
                setCorrections(before => new Map(before).set(id, { ...before.get(id), ...correction }))
              }
            />
          </>
        )}
        {error !== null && (
          <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.failed}>
            <p>{errorText(error)}</p>
          </Notice>
        )}
        <Group justify="flex-end">
          {create.data !== undefined ? (
            <Button onClick={close}>{words.close}</Button>
          ) : planned === null ? (
            <>
              <Button variant="default" onClick={close}>
                {words.cancel}
              </Button>
              <Button disabled={able.length === 0} loading={plan.isPending} onClick={() => plan.mutate()}>
                {words.foresee}
              </Button>
            </>
          ) : (
            <>
              <Button variant="default" onClick={plan.reset}>
                {words.back}
              </Button>
              <Button
                disabled={planned.created.length === 0}
                loading={create.isPending}
                onClick={() => create.mutate()}
              >
                {words.create(planned.created.length)}
              </Button>
            </>
          )}
        </Group>
      </div>
    </Modal>
  )
}
