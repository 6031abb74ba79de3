import { Modal, Radio, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { PROBE_MOVE_MAX_HOSTS, type Probe, type ProbeDuties, probeRoutes } from '@narval/contracts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { hostOptions, probeOptions } from '../../lib/option-sources.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/page.tsx'
import { RemoteMultiSelect } from '../../ui/remote-multi-select.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import { fr } from './fr.ts'

const { move: words } = fr

interface MoveDialogProps {
  readonly probe: Probe
  readonly opened: boolean
  readonly onClose: () => void
  readonly onMoved: () => void
}

/** Hands the work of a probe over to another one, all of it or some hosts, after saying what that is. */
export const MoveDialog = ({ opened, ...rest }: MoveDialogProps) => (
  <Modal opened={opened} onClose={rest.onClose} title={<strong>{words.title}</strong>} size="lg" centered>
    <MoveContent {...rest} />
  </Modal>
)

const MoveContent = ({ probe, onClose, onMoved }: Omit<MoveDialogProps, 'opened'>) => {
  const [to, setTo] = useState<number | null>(null)
  const [some, setSome] = useState(false)
  const [hostIds, setHostIds] = useState<number[]>([])
  const isReady = to !== null && (!some || hostIds.length > 0)
  const body = { to: to ?? 0, ...(some ? { hostIds } : {}) }
  const plan = useQuery({
    queryKey: ['probe', probe.id, 'move', body],
    queryFn: ({ signal }) =>
      call(probeRoutes.move, { params: { id: probe.id }, body: { ...body, plan: true }, signal }),
    enabled: isReady,
    retry: false,
    gcTime: 0,
  })
  const moving = useMutation({
    mutationFn: () => call(probeRoutes.move, { params: { id: probe.id }, body }),
    onSuccess: ({ duties }) => {
      notifications.show({ color: 'green', message: words.done(duties.hosts) })
      onMoved()
    },
  })
  const error = moving.error ?? (isReady ? plan.error : null)
  const duties = isReady ? plan.data?.duties : undefined
  return (
    <Stack gap="md">
      <Text size="sm">{words.what}</Text>
      <RemoteSelect label={words.to} source={probeOptions} value={to} onChange={setTo} required />
      <Radio.Group value={some ? 'some' : 'all'} onChange={value => setSome(value === 'some')} label={words.which}>
        <Stack gap={8} mt={6}>
          <Radio value="all" label={words.all} />
          <Radio value="some" label={words.some} />
        </Stack>
      </Radio.Group>
      {some && (
        <RemoteMultiSelect
          label={words.hosts}
          source={hostOptions}
          values={hostIds}
          onChange={setHostIds}
          max={PROBE_MOVE_MAX_HOSTS}
        />
      )}
      <div aria-live="polite">{duties !== undefined && <Text size="sm">{dutiesText(duties)}</Text>}</div>
      {error !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={fr.refused}>
          <p>{errorText(error)}</p>
        </Notice>
      )}
      <DialogActions
        onCancel={onClose}
        submit={words.run}
        onSubmit={() => moving.mutate()}
        busy={moving.isPending}
        disabled={duties === undefined || isNothing(duties)}
      />
    </Stack>
  )
}

const isNothing = (duties: ProbeDuties): boolean => Object.values(duties).every(count => count === 0)
const dutiesText = (duties: ProbeDuties): string => (isNothing(duties) ? words.nothing : words.plan(duties))
