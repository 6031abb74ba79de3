import { Button, Checkbox, Radio, Stack } from '@mantine/core'
import { IMPORT_MODES, type ImportEntity, type ImportFile, type ImportState } from '@narval/contracts'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { ApiError } from '../../lib/http.ts'
import { Notice } from '../../ui/notice.tsx'
import { Card, errorText } from '../../ui/page.tsx'
import { DropZone } from './drop-zone.tsx'
import { fr } from './fr.ts'
import classes from './import.module.css'
import { MappingCard, UnderstoodCard } from './mapping-card.tsx'
import { Counts, PlanCard } from './plan-card.tsx'
import { type ImportHandle, useImport } from './use-import.ts'

/** A refusal's sentences, or what went wrong here. */
const sentenceOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof ApiError) ? error.message : errorText(error)

const Refused = ({ title, error }: { readonly title: string; readonly error: unknown }) =>
  error === null ? null : (
    <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={title}>
      <p>{sentenceOf(error)}</p>
    </Notice>
  )

const Failed = ({ message }: { readonly message: ImportState['message'] }) => (
  <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={fr.runRefused}>
    <p>{message}</p>
  </Notice>
)

/** From a file to its import: what was understood, which column is what, a check that writes nothing, then all of it. */
export const ImportPage = ({ entity }: { readonly entity: ImportEntity }) => {
  const handle = useImport(entity)
  const { upload, run, followed } = handle
  const file = upload.data
  const state = followed.data?.state
  return (
    <Stack gap="md" className={classes.page}>
      <p className={classes.lead}>
        {fr.lead[entity]} {fr.nothingWritten}
      </p>
      <Refused title={fr.refused} error={upload.error} />
      {file === undefined ? (
        <DropZone busy={upload.isPending} onFile={chosen => upload.mutate(chosen)} />
      ) : run.isSuccess && state !== 'failed' ? (
        <Running entity={entity} handle={handle} state={followed.data ?? run.data} />
      ) : (
        <Preparing entity={entity} handle={handle} file={file} />
      )}
    </Stack>
  )
}

interface StepProps {
  readonly entity: ImportEntity
  readonly handle: ImportHandle
}

const Preparing = ({ entity, handle, file }: StepProps & { readonly file: ImportFile }) => {
  const { choices, choose, check, run, followed, restart } = handle
  const busy = check.isPending || run.isPending
  const failed = followed.data?.state === 'failed' ? followed.data : null
  const plan = failed?.result ?? check.data
  const ready = check.data !== undefined && check.data.errorCount === 0 && failed === null
  return (
    <>
      <UnderstoodCard file={file} />
      <MappingCard file={file} fields={choices.fields} disabled={busy} onChange={fields => choose({ fields })} />
      <Card title={fr.optionsTitle}>
        <Stack gap="sm">
          {entity !== 'metric' && (
            <Radio.Group
              label={fr.mode}
              value={choices.mode}
              onChange={value => choose({ mode: IMPORT_MODES.find(mode => mode === value) ?? 'upsert' })}
            >
              <Stack gap="xs" mt="xs">
                {(['upsert', 'create', 'update'] as const).map(mode => (
                  <Radio key={mode} value={mode} label={fr.modes[mode]} disabled={busy} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          {entity !== 'metric' && (
            <Checkbox
              label={fr.createTypes[entity]}
              checked={choices.createTypes}
              disabled={busy}
              onChange={event => choose({ createTypes: event.currentTarget.checked })}
            />
          )}
          <div className={classes.actions}>
            <Button
              variant={ready ? 'default' : 'filled'}
              loading={check.isPending}
              disabled={run.isPending}
              onClick={() => {
                run.reset()
                check.mutate()
              }}
            >
              {fr.check}
            </Button>
            <Button
              variant={ready ? 'filled' : 'default'}
              loading={run.isPending}
              disabled={!ready || check.isPending}
              onClick={() => run.mutate()}
            >
              {fr.run}
            </Button>
            <Button variant="subtle" disabled={busy} onClick={restart}>
              {fr.another}
            </Button>
          </div>
          {!ready && plan === undefined && <p className={classes.hint}>{fr.checkFirst}</p>}
        </Stack>
      </Card>
      <Refused title={fr.checkRefused} error={check.error} />
      <Refused title={fr.runRefused} error={run.error} />
      {plan !== undefined && <PlanCard plan={plan}>{failed !== null && <Failed message={failed.message} />}</PlanCard>}
      {plan === undefined && failed !== null && <Failed message={failed.message} />}
    </>
  )
}

const Running = ({ entity, handle, state }: StepProps & { readonly state: ImportState }) => {
  const { followed, restart } = handle
  const { done, total, result } = state
  if (state.state === 'done' && result !== null)
    return (
      <Card title={fr.resultTitle} arrives>
        <p className={classes.clean} role="status">
          <IconCircleCheck size={18} aria-hidden="true" /> {fr.finished}
        </p>
        <Counts
          counts={[
            [fr.done.create, result.create],
            [fr.done.update, result.update],
            [fr.done.unchanged, result.unchanged],
          ]}
        />
        <div className={classes.actions}>
          <Button component={Link} to={`/${entity}/edit`}>
            {fr.seeList}
          </Button>
          <Button variant="default" onClick={restart}>
            {fr.again}
          </Button>
        </div>
      </Card>
    )
  return (
    <Card title={fr.progress}>
      <Refused title={fr.lost} error={followed.error} />
      <div className={classes.progress}>
        <progress aria-label={fr.progress} value={done} max={Math.max(total, 1)} />
        <span>{fr.progressOf(done, total)}</span>
      </div>
      <p className={classes.hint}>{fr.keepsGoing}</p>
    </Card>
  )
}
