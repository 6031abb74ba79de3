import { Checkbox, Textarea } from '@mantine/core'
import {
  type Maintenance,
  type MaintenanceSchedule,
  maintenanceRoutes,
  parseRecurrence,
  recurrenceWords,
} from '@narval/contracts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { maintenanceWords } from '../../i18n/maintenance.ts'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/http.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Card, errorText } from '../../ui/page.tsx'
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx'
import { fr } from './fr.ts'
import classes from './maintenance.module.css'
import { type Draft, scheduleOf } from './maintenance-draft.ts'
import own from './maintenance-form.module.css'
import { spanText } from './maintenance-when.ts'
import { type ChosenObjects, ObjectsField } from './objects-field.tsx'
import { ScheduleFields } from './schedule-fields.tsx'

/** What the form gives to be saved; `targets` null: what it covers stays as it is. */
export interface SavedForm {
  readonly comment: string
  readonly schedule: MaintenanceSchedule
  readonly flexibleMinutes: number | null
  readonly propagate: boolean
  readonly targets: { sites: number[]; hosts: number[]; metrics: number[] } | null
}

interface MaintenanceFormProps {
  readonly draft: Draft
  readonly objects: ChosenObjects
  readonly known: Parameters<typeof ObjectsField>[0]['known']
  readonly kept: number | null
  /** Null: a new one. */
  readonly maintenanceId: number | null
  readonly submit: string
  readonly save: (form: SavedForm) => Promise<Maintenance>
  readonly onSaved: (saved: Maintenance) => void
  readonly onCancel: () => void
}
const { sections, fields } = fr

/** The form of a maintenance: why, what, when; what was typed stays when it is refused. */
export const MaintenanceForm = (props: MaintenanceFormProps) => {
  const client = useQueryClient()
  const [draft, setDraft] = useState(props.draft)
  const [objects, setObjects] = useState(props.objects)
  const [kept, setKept] = useState(props.kept)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [general, setGeneral] = useState('')
  const [busy, setBusy] = useState(false)
  const touched = useRef(false)
  const unsaved = useCallback(() => touched.current, [])
  const change = (next: Partial<Draft>): void => {
    touched.current = true
    setErrors({})
    setDraft(before => ({ ...before, ...next }))
  }
  const chosen = objects.sites.length + objects.hosts.length + objects.metrics.length
  const schedule = scheduleOf(draft)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setGeneral('')
    const missing = missingOf(draft, schedule, kept !== null || chosen > 0)
    setErrors(missing)
    if (schedule === null || Object.keys(missing).length > 0) return
    setBusy(true)
    try {
      const saved = await props.save({
        comment: draft.comment.trim(),
        schedule,
        flexibleMinutes: draft.flexible ? draft.flexibleMinutes : null,
        propagate: draft.propagate,
        targets: kept !== null ? null : targetsOf(objects),
      })
      touched.current = false
      await client.invalidateQueries({ queryKey: ['maintenances'] })
      props.onSaved(saved)
    } catch (fault) {
      setErrors(fault instanceof ApiError ? (fault.problem?.fields ?? {}) : {})
      setGeneral(fault instanceof ApiError && fault.status === 409 ? fr.stale : errorText(fault))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={own.form} onSubmit={event => void submit(event)} noValidate>
      <UnsavedGuard unsaved={unsaved} />
      <Card title={sections.why}>
        <Textarea
          label={fields.comment}
          description={sections.whyHelp}
          value={draft.comment}
          onChange={event => change({ comment: event.currentTarget.value })}
          error={errors.comment}
          maxLength={500}
          rows={2}
          required
        />
      </Card>
      <Card title={sections.objects}>
        <div className={classes.stack}>
          <p className={classes.quiet}>{sections.objectsHelp}</p>
          <ObjectsField
            value={objects}
            known={props.known}
            onChange={next => {
              touched.current = true
              setErrors({})
              setObjects(next)
            }}
            error={errors.sites}
            kept={kept}
            onReplace={() => {
              touched.current = true
              setKept(null)
              setObjects({ sites: [], hosts: [], metrics: [] })
            }}
          />
          <Checkbox
            label={fields.propagate}
            description={fields.propagateHelp}
            checked={draft.propagate}
            onChange={event => change({ propagate: event.currentTarget.checked })}
          />
        </div>
      </Card>
      <Card title={sections.when}>
        <div className={classes.stack}>
          <p className={classes.quiet}>{sections.whenHelp}</p>
          <ScheduleFields draft={draft} onChange={change} errors={errors} />
          <Preview
            schedule={schedule}
            propagate={draft.propagate}
            objects={kept === null ? objects : null}
            maintenanceId={kept === null ? null : props.maintenanceId}
          />
        </div>
      </Card>
      {general !== '' && (
        <p role="alert" className={classes.bad}>
          {general}
        </p>
      )}
      <DialogActions onCancel={props.onCancel} submit={props.submit} busy={busy} />
    </form>
  )
}

const targetsOf = ({ sites, hosts, metrics }: ChosenObjects) => ({
  ...{ sites: [...sites], hosts: [...hosts], metrics: [...metrics] },
})

const missingOf = (
  draft: Draft,
  schedule: MaintenanceSchedule | null,
  hasObjects: boolean,
): Readonly<Record<string, string>> => ({
  ...(draft.comment.trim() === '' ? { comment: fr.required } : {}),
  ...(hasObjects ? {} : { sites: fr.chooseObject }),
  ...(schedule === null ? { 'schedule.from': fr.required, 'schedule.start': fr.required } : {}),
})

interface PreviewProps {
  readonly schedule: MaintenanceSchedule | null
  readonly propagate: boolean
  readonly objects: ChosenObjects | null
  readonly maintenanceId: number | null
}

/** The next windows and how much they cover, as the server reckons them. */
const Preview = ({ schedule, propagate, objects, maintenanceId }: PreviewProps) => {
  const body = {
    ...{ propagate, ...(objects === null ? {} : targetsOf(objects)) },
    ...(maintenanceId === null ? {} : { maintenanceId }),
  }
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['maintenance-preview', schedule, body],
    queryFn: ({ signal }) =>
      schedule === null ? null : call(maintenanceRoutes.preview, { body: { ...body, schedule }, signal }),
    enabled: schedule !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  })
  if (error !== null)
    return (
      <p className={classes.bad} role="status">
        {errorText(error)}
      </p>
    )
  if (data == null) return null
  const rule = schedule?.kind === 'recurring' ? parseRecurrence(schedule.rrule) : null
  const words = rule === null || 'fault' in rule ? null : recurrenceWords(rule)
  return (
    <div className={own.preview} role="status" aria-busy={isPlaceholderData}>
      <strong>{fr.previewTitle}</strong> · {maintenanceWords.covers(data.hosts, data.metrics)}
      {words !== null && <p className={own.rule}>{words}</p>}
      {data.occurrences.length === 0 ? (
        <p className={classes.quiet}>{fr.previewNone}</p>
      ) : (
        <ul>
          {data.occurrences.map(span => (
            <li key={span.from}>{spanText(span)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
