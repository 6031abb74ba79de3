import { Button, Group, Modal, Text } from '@mantine/core'
import { type Probe, probeRoutes, probe as probeSchema, probeUpdateBody } from '@narval/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { form as words } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { formatBytes, formatMilliseconds, formatNumber, formatRatio, NOTHING } from '../../lib/format.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { EditorPage } from '../../ui/editor-page.tsx'
import { useEntityForm } from '../../ui/entity-form.ts'
import { Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell } from '../../ui/form-shell.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { RemoteSelectField } from '../../ui/remote-select.tsx'
import { Ago } from '../../ui/time.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import classes from './probe.module.css'
import { useProbeAction } from './probe-queries.ts'
import { ProbeStateBadge } from './probe-state.tsx'

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
  const [revoking, setRevoking] = useState(false)
  const again = (): void => void client.invalidateQueries({ queryKey: ['probe', probe.id] })
  const approval = useProbeAction('approve', again)
  const revocation = useProbeAction('revoke', () => {
    setRevoking(false)
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
            {live.state !== 'revoked' && (
              <Button variant="light" color="red" onClick={() => setRevoking(true)}>
                {fr.revoke}
              </Button>
            )}
          </>
        }
      />
      <ProbeFigures probe={live} />
      <ProbeForm probe={probe} />
      <Modal
        opened={revoking}
        onClose={() => setRevoking(false)}
        title={<strong>{fr.revokeTitle(probe.name)}</strong>}
        centered
      >
        <Text size="sm">{fr.revokeText(live.hosts)}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" data-autofocus onClick={() => setRevoking(false)}>
            {words.cancel}
          </Button>
          <Button color="red" loading={revocation.isPending} onClick={() => revocation.mutate(probe.id)}>
            {fr.revoke}
          </Button>
        </Group>
      </Modal>
    </div>
  )
}

const whole = (value: number | null): string => (value === null ? NOTHING : formatNumber(value, 0))
const time = (ms: number | null): string => (ms === null ? NOTHING : formatMilliseconds(ms))

const ProbeFigures = ({ probe }: { readonly probe: Probe }) => (
  <Card title={fr.sections.figures}>
    <Facts
      facts={[
        { label: fr.facts.state, value: <ProbeStateBadge state={probe.state} /> },
        { label: fr.facts.contact, value: <Ago at={probe.lastContact} /> },
        { label: fr.facts.version, value: probe.version },
        { label: fr.facts.rate, value: probe.checksPerSecond === null ? NOTHING : fr.perSecond(probe.checksPerSecond) },
        { label: fr.facts.backlog, value: whole(probe.backlog) },
        { label: fr.facts.lag, value: time(probe.lagMs) },
        { label: fr.facts.skew, value: time(probe.skewMs) },
        { label: fr.facts.late, value: whole(probe.late) },
        { label: fr.facts.dropped, value: whole(probe.dropped) },
        { label: fr.facts.cpu, value: probe.cpuRatio === null ? NOTHING : formatRatio(probe.cpuRatio) },
        { label: fr.facts.memory, value: probe.memoryBytes === null ? NOTHING : formatBytes(probe.memoryBytes) },
        { label: fr.facts.hosts, value: whole(probe.hosts) },
        { label: fr.facts.scanners, value: whole(probe.scanners) },
      ]}
    />
  </Card>
)

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
