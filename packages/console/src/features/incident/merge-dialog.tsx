import { Modal, Radio, ScrollArea, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { type Incident, incidentRoutes } from '@narval/contracts'
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fr as common } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { informationOf } from '../../lib/incident-time.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import hiding from '../../ui/hidden.module.css'
import { FailsSince } from '../../ui/incident-age.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, errorText, LoadingState } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import classes from './incident-page.module.css'

interface MergeDialogProps {
  readonly incident: Incident
  readonly opened: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

const SHOWN = 30
const DEBOUNCE_MS = 200

/** Says that another open incident explains this one; what was typed and chosen stays when the server refuses. */
export const MergeDialog = ({ opened, onClose, ...rest }: MergeDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={fr.mergeTitle} centered size="lg">
    <MergeForm onClose={onClose} {...rest} />
  </Modal>
)

const searchOpen = (term: string, signal: AbortSignal) =>
  call(incidentRoutes.datatable.put, {
    body: { length: SHOWN + 1, search: { value: term }, filters: { open: true, roots: true } },
    signal,
  })

const MergeForm = ({ incident, onClose, onDone }: Omit<MergeDialogProps, 'opened'>) => {
  const [term, setTerm] = useState('')
  const [into, setInto] = useState<string | null>(null)
  const [missing, setMissing] = useState(false)
  const [wanted] = useDebouncedValue(term.trim(), DEBOUNCE_MS)
  const { data, error, refetch } = useQuery({
    queryKey: ['incident-merge', wanted],
    queryFn: ({ signal }) => searchOpen(wanted, signal),
    placeholderData: keepPreviousData,
  })
  const merging = useMutation({
    mutationFn: (target: number) =>
      call(incidentRoutes.merge, { params: { id: String(incident.id) }, body: { into: target } }),
    onSuccess: (_, target) => {
      const title = data?.data.find(one => one.id === target)?.title ?? ''
      notifications.show({ title: fr.mergeDone, message: fr.mergeDoneText(title), color: 'blue' })
      onDone()
      onClose()
    },
  })
  const others = (data?.data ?? []).filter(one => one.id !== incident.id)
  const more = data === undefined ? 0 : data.recordsFiltered - data.data.length
  return (
    <Stack gap="sm">
      <p className={classes.quiet}>{fr.mergeHelp}</p>
      <TextInput
        type="search"
        label={fr.mergeSearch}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={term}
        onChange={event => setTerm(event.currentTarget.value)}
        data-autofocus
      />
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingState height={160} />
      ) : others.length === 0 ? (
        <p className={classes.quiet}>{wanted === '' ? fr.mergeNone : fr.mergeNoMatch(wanted)}</p>
      ) : (
        <Choices incidents={others} value={into} onChange={setInto} error={missing && into === null} />
      )}
      {more > 0 && <p className={classes.quiet}>{fr.mergeMore(more)}</p>}
      {merging.error !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={fr.failed}>
          <p>{errorText(merging.error)}</p>
        </Notice>
      )}
      <DialogActions
        onCancel={onClose}
        submit={fr.mergeSubmit}
        onSubmit={() => (into === null ? setMissing(true) : merging.mutate(Number(into)))}
        busy={merging.isPending}
      />
    </Stack>
  )
}

interface ChoicesProps {
  readonly incidents: readonly Incident[]
  readonly value: string | null
  readonly onChange: (id: string) => void
  readonly error: boolean
}

const Choices = ({ incidents, value, onChange, error }: ChoicesProps) => (
  <Radio.Group
    label={fr.listTitle}
    value={value}
    onChange={onChange}
    error={error ? fr.mergePick : undefined}
    classNames={{ label: hiding.hidden ?? '' }}
  >
    <ScrollArea.Autosize mah={320} type="auto">
      <div className={classes.choices}>
        {incidents.map(one => (
          <Radio.Card key={one.id} value={String(one.id)} className={classes.choice}>
            <Radio.Indicator />
            <SeverityIcon severity={one.severity} label={common.severity[one.severity]} />
            <span>
              <strong>{one.title}</strong>
              <span className={classes.detail}>
                {[one.siteName, informationOf(one)].filter(Boolean).join(' · ')} · <FailsSince incident={one} />
              </span>
            </span>
          </Radio.Card>
        ))}
      </div>
    </ScrollArea.Autosize>
  </Radio.Group>
)
