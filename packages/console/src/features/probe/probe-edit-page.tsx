import { Button, Modal, Text } from '@mantine/core'
import { type Probe, probeRoutes, probe as probeSchema, probeUpdateBody } from '@narval/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { form as words } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { EditorPage } from '../../ui/editor-page.tsx'
import { useEntityForm } from '../../ui/entity-form.ts'
import { TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell } from '../../ui/form-shell.tsx'
import { IncidentList } from '../../ui/incident-list.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { RemoteSelectField } from '../../ui/remote-select.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { DeleteProbe } from './delete-probe.tsx'
import { DiagnosticsCard } from './diagnostics-card.tsx'
import { fr } from './fr.ts'
import { MoveDialog } from './move-dialog.tsx'
import classes from './probe.module.css'
import { ProbeFigures } from './probe-figures.tsx'
import { ProbeKey } from './probe-key.tsx'
import { useProbeAction } from './probe-queries.ts'

const LIST = '/probe/edit'
const REFRESH_MS = 5_000

/** /probe/edit/:id */
export const ProbeEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage record={['probe', id]} load={signal => call(probeRoutes.get, { params: { id }, signal })}>
      {probe => <ProbeEditor probe={probe} />}
    </EditorPage>
  )
}

const ProbeEditor = ({ probe }: { readonly probe: Probe }) => {
  const client = useQueryClient()
  // The form keeps the version it was loaded with; the figures and the state live on beside it.
  const { data: live = probe } = useQuery({
    queryKey: ['probe', probe.id],
    queryFn: ({ signal }) => call(probeRoutes.get, { params: { id: probe.id }, signal }),
    refetchInterval: REFRESH_MS,
  })
  const [asked, setAsked] = useState<'revoke' | 'move' | 'delete' | null>(null)
  const close = (): void => setAsked(null)
  const afterSaving = useAfterSaving()
  const { can } = useSession()
  const again = (): void => void client.invalidateQueries({ queryKey: ['probe', probe.id] })
  const approval = useProbeAction('approve', again)
  const revocation = useProbeAction('revoke', () => {
    close()
    again()
  })
  return (
    <div className={classes.page}>
      <PageHeader
        title={probe.name}
        meta={probe.address}
        actions={
          <>
            {live.state === 'pending' && (
              <Button title={fr.approveHelp} loading={approval.isPending} onClick={() => approval.mutate(probe.id)}>
                {fr.approve}
              </Button>
            )}
            {can('host_write') && live.state !== 'pending' && (
              <Button variant="default" onClick={() => setAsked('move')}>
                {fr.move.title}
              </Button>
            )}
            {live.state === 'revoked' && (
              <Button variant="light" color="red" onClick={() => setAsked('delete')}>
                {words.delete}
              </Button>
            )}
            {live.state !== 'revoked' && !live.local && (
              <Button variant="light" color="red" onClick={() => setAsked('revoke')}>
                {fr.revoke}
              </Button>
            )}
          </>
        }
      />
      <ProbeFigures probe={live} />
      <Card title={fr.incidents}>
        <IncidentList probeId={probe.id} />
      </Card>
      <DiagnosticsCard probe={live} />
      <ProbeKey probe={live} onRenewed={again} />
      <ProbeForm probe={probe} />
      <MoveDialog
        probe={live}
        opened={asked === 'move'}
        onClose={close}
        onMoved={() => {
          close()
          again()
        }}
      />
      <DeleteProbe
        probe={live}
        opened={asked === 'delete'}
        onClose={close}
        onDeleted={() => afterSaving(words.deleted(live.name), LIST)}
      />
      <Modal opened={asked === 'revoke'} onClose={close} title={<strong>{fr.revokeTitle(probe.name)}</strong>} centered>
        <Text size="sm">{fr.revokeText(live.hosts)}</Text>
        <DialogActions
          onCancel={close}
          submit={fr.revoke}
          onSubmit={() => revocation.mutate(probe.id)}
          busy={revocation.isPending}
          danger
          focus="cancel"
          mt="lg"
        />
      </Modal>
    </div>
  )
}

const readNewer = (current: unknown) => {
  const parsed = probeSchema.safeParse(current)
  return parsed.success ? probeUpdateBody.parse(parsed.data) : null
}

const ProbeForm = ({ probe }: { readonly probe: Probe }) => {
  const navigate = useNavigate()
  const afterSaving = useAfterSaving()
  const handle = useEntityForm({
    schema: probeUpdateBody,
    values: probeUpdateBody.parse(probe),
    basedOn: probe.updatedAt,
    labels: fr.fields,
    readNewer,
    save: (input, basedOn) =>
      call(probeRoutes.update, { params: { id: probe.id }, body: { ...input, updatedAt: basedOn ?? input.updatedAt } }),
    onSaved: saved => afterSaving(words.saved(saved.name), LIST),
  })
  const { control } = handle.form
  const known = probe.siteId === null || probe.siteName === null ? null : { id: probe.siteId, name: probe.siteName }
  return (
    <FormShell handle={handle} labels={fr.fields} creating={false} onCancel={() => void navigate(LIST)}>
      <FormSection title={fr.sections.identity} help={fr.sections.identityHelp}>
        <TextField control={control} name="name" label={fr.fields.name} required />
        <RemoteSelectField
          control={control}
          name="siteId"
          label={fr.fields.siteId}
          help={fr.help.siteId}
          source={siteOptions}
          known={known}
        />
      </FormSection>
    </FormShell>
  )
}
