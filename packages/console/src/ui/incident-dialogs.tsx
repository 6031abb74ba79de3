import { Modal, Stack } from '@mantine/core'
import type { MaintenanceTargets } from '@narval/contracts'
import { type ReactNode, useState } from 'react'
import { acting as words } from '../i18n/acting.ts'
import { useSession } from '../lib/session.ts'
import { AcknowledgeDialog } from './acknowledge-dialog.tsx'
import { type ActTargets, changeIncidents, type IncidentChangeInput, useActing } from './acting.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { DialogActions } from './dialog-actions.tsx'
import { MaintenanceDialog } from './maintenance-dialog.tsx'
import { OwnerSelect } from './owner-select.tsx'

/** What is asked before it is done. */
export type Opened = 'acknowledge' | 'give' | 'own' | 'unacknowledge' | 'release' | 'comment' | 'maintain'

const COVERED = { problem: 'metrics', metric: 'metrics', host: 'hosts', site: 'sites', incident: 'incidents' } as const
const COVERED_LIST = { ...COVERED, problem: 'problems' } as const

/** The same rows as a maintenance names them: of incidents it covers what they are about. */
export const maintainedOf = ({ of, target }: ActTargets): MaintenanceTargets =>
  'ids' in target ? { [COVERED[of]]: target.ids } : { filter: { list: COVERED_LIST[of], request: target.filter } }

interface DialogsProps {
  readonly targets: ActTargets
  readonly maintained: MaintenanceTargets | null
  readonly opened: Opened | null
  readonly onClose: () => void
  readonly onDone?: (() => void) | undefined
}

const incidents = (count: number): string => words.count(count)

/** The dialogs of all actions, of which `open` opens one; `dialogs` stands beside what opens them. */
export const useActDialogs = (targets: ActTargets, maintained: MaintenanceTargets | null, onDone?: () => void) => {
  const [opened, open] = useState<Opened | null>(null)
  const close = (): void => open(null)
  const dialogs: ReactNode = (
    <ActDialogs targets={targets} maintained={maintained} opened={opened} onClose={close} onDone={onDone} />
  )
  return { opened, open, close, dialogs }
}

/** One is open at a time. */
const ActDialogs = ({ targets, maintained, opened, onClose, onDone }: DialogsProps) => {
  const login = useSession().user?.login ?? ''
  const done = (): void => {
    onDone?.()
    onClose()
  }
  const ask = (title: string, change: IncidentChangeInput) => (
    <BulkDialog
      opened
      onClose={onClose}
      title={title}
      noun={incidents}
      ready
      run={plan => changeIncidents(targets, change, plan)}
      onDone={done}
    />
  )
  return (
    <>
      <AcknowledgeDialog
        targets={opened === 'acknowledge' ? targets : null}
        onClose={onClose}
        {...(onDone && { onDone })}
      />
      <MaintenanceDialog
        targets={opened === 'maintain' ? maintained : null}
        what={targets.what}
        onClose={onClose}
        onDone={onDone}
      />
      {opened === 'give' && <GiveDialog targets={targets} onClose={onClose} onDone={done} />}
      {opened === 'own' && ask(words.ownTitle(targets.what), { own: { owner: login } })}
      {opened === 'unacknowledge' && ask(words.unacknowledgeTitle(targets.what), { unacknowledge: true })}
      {opened === 'release' && ask(words.releaseTitle(targets.what), { own: { owner: null } })}
    </>
  )
}

interface GiveProps {
  readonly targets: ActTargets
  readonly onClose: () => void
  readonly onDone: () => void
}

const GiveDialog = ({ targets, onClose, onDone }: GiveProps) => {
  const acting = useActing()
  const [owner, setOwner] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const give = async (): Promise<void> => {
    if (owner === null) return
    setBusy(true)
    await acting.change(targets, { own: { owner } }, count => words.given(count, owner))
    setBusy(false)
    onDone()
  }
  return (
    <Modal opened onClose={onClose} title={<strong>{words.giveTitle(targets.what)}</strong>} centered>
      <Stack gap="md">
        <OwnerSelect targets={targets} value={owner} onChange={setOwner} />
        <DialogActions
          onCancel={onClose}
          submit={words.giveNow}
          onSubmit={() => void give()}
          busy={busy}
          disabled={owner === null}
        />
      </Stack>
    </Modal>
  )
}
