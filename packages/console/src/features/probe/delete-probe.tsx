import { Modal, Text } from '@mantine/core'
import { type Probe, probeRoutes } from '@narval/contracts'
import { form } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { Deletion } from '../../ui/deletion.tsx'
import { fr } from './fr.ts'

interface DeleteProbeProps {
  readonly probe: Probe
  readonly opened: boolean
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Says what is left without the probe that was chosen for it, then lets a revoked probe go. */
export const DeleteProbe = ({ probe, opened, onClose, onDeleted }: DeleteProbeProps) => (
  <Modal opened={opened} onClose={onClose} title={<strong>{form.deleteTitle(probe.name)}</strong>} centered>
    <Deletion
      queryKey={['probe', probe.id]}
      plan={async () => (await call(probeRoutes.delete, { params: { id: probe.id }, query: { plan: 'true' } })).duties}
      read={duties => ({
        said: <Text size="sm">{fr.deletion(duties)}</Text>,
        tick: null,
        possible: true,
        lost: form.deleteForGood,
      })}
      run={async () => void (await call(probeRoutes.delete, { params: { id: probe.id } }))}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  </Modal>
)
