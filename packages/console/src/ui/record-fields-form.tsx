import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { FieldDefinition, RecordField, RecordFields } from '@narval/contracts'
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { customField as words } from '../i18n/custom-field.ts'
import { ApiError } from '../lib/api.ts'
import { defaultOf, fieldText, isReference, shownText } from '../lib/custom-field.ts'
import {
  draftBody,
  type FieldDrafts,
  isStale,
  keepMine,
  NO_DRAFTS,
  readFieldProblem,
  shownValue,
  takeServer,
  withDraft,
  withoutOwnValue,
} from '../lib/custom-field-draft.ts'
import { FIELD_KEY, type FieldOwner, recordFieldsQuery, saveRecordFields } from '../lib/custom-field-queries.ts'
import { byGroup, originText } from '../lib/custom-field-record.ts'
import { formatAgo, NOTHING } from '../lib/format.ts'
import { ActionBar, ActionHint } from './action-bar.tsx'
import { FormSection, Wide } from './form-shell.tsx'
import { Notice } from './notice.tsx'
import classes from './record-fields.module.css'
import { FieldInput } from './record-fields-input.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'

interface Refusal {
  readonly fields: ReadonlyMap<string, string>
  readonly general: string
}
const NOT_REFUSED: Refusal = { fields: new Map(), general: '' }

const refusalOf = (error: unknown, record: RecordFields): Refusal =>
  error instanceof ApiError && error.status !== 0
    ? readFieldProblem(error.problem, new Set(record.fields.map(field => field.definition.key)))
    : { fields: new Map(), general: words.unreachable }

interface RecordFormProps extends FieldOwner {
  readonly record: RecordFields
  /** Where the form stands in for the facts: back to them. Absent under a record's own form. */
  readonly onDone?: () => void
}

/** What is typed, and what came of saving it. */
const useFieldDrafts = ({ scope, id, record, onDone }: RecordFormProps) => {
  const client = useQueryClient()
  const [drafts, setDrafts] = useState<FieldDrafts>(NO_DRAFTS)
  const [refusal, setRefusal] = useState<Refusal>(NOT_REFUSED)
  const [saving, setSaving] = useState(false)
  const save = async (): Promise<void> => {
    const { values, basedOn } = draftBody(drafts)
    setSaving(true)
    setRefusal(NOT_REFUSED)
    try {
      const saved = await saveRecordFields({ scope, id }, values, basedOn)
      client.setQueryData(recordFieldsQuery({ scope, id }).queryKey, saved)
      void client.invalidateQueries({ queryKey: [FIELD_KEY, 'history', scope, id] })
      setDrafts(NO_DRAFTS)
      notifications.show({ message: words.saved, color: 'green' })
      onDone?.()
    } catch (error) {
      setRefusal(refusalOf(error, record))
      // Somebody saved first: with their values beside it, each field says so itself.
      if (error instanceof ApiError && error.status === 409)
        await client.invalidateQueries({ queryKey: recordFieldsQuery({ scope, id }).queryKey })
    } finally {
      setSaving(false)
    }
  }
  return { drafts, setDrafts, refusal, saving, save }
}

/** The fields of one record, to change: only what was touched is sent, and nothing typed is ever lost. */
export const RecordFieldsForm = (props: RecordFormProps) => {
  const { record, onDone } = props
  const { drafts, setDrafts, refusal, saving, save } = useFieldDrafts(props)
  const dirty = drafts.size > 0
  const unsaved = useCallback(() => dirty, [dirty])
  const stale = record.fields.some(field => isStale(drafts, field))
  return (
    <form
      className={classes.form}
      data-inline={onDone !== undefined || undefined}
      noValidate
      aria-label={words.editTitle}
      onSubmit={event => {
        event.preventDefault()
        if (!saving && dirty && !stale) void save()
      }}
    >
      <UnsavedGuard unsaved={unsaved} />
      <div className={classes.heading}>
        <h2>{words.editTitle}</h2>
        {onDone === undefined && <p>{words.editHelp}</p>}
      </div>
      <div className={classes.sections}>
        <RefusalNotice refusal={refusal} stale={stale} />
        {byGroup(record).map(({ group, fields }) => (
          <FormSection key={group.id} title={group.name}>
            {fields.map(field => (
              <OneField
                key={field.definition.id}
                field={field}
                drafts={drafts}
                onDrafts={setDrafts}
                error={refusal.fields.get(field.definition.key)}
              />
            ))}
          </FormSection>
        ))}
      </div>
      <ActionBar sticks={dirty}>
        <Button type="submit" loading={saving} disabled={!dirty || stale}>
          {words.save}
        </Button>
        {(onDone !== undefined || dirty) && (
          <Button
            variant="default"
            onClick={() => {
              setDrafts(NO_DRAFTS)
              onDone?.()
            }}
          >
            {words.cancel}
          </Button>
        )}
        {dirty && <ActionHint>{words.unsavedHint}</ActionHint>}
      </ActionBar>
    </form>
  )
}

const RefusalNotice = ({ refusal, stale }: { readonly refusal: Refusal; readonly stale: boolean }) => {
  if (stale)
    return (
      <Notice tone="warning" icon={<IconHistory size={18} />} title={words.staleTitle}>
        <p>{words.staleHelp}</p>
      </Notice>
    )
  if (refusal.general === '' && refusal.fields.size === 0) return null
  return (
    <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.refused}>
      <p>{refusal.general === '' ? words.toCorrect(refusal.fields.size) : refusal.general}</p>
    </Notice>
  )
}

interface OneFieldProps {
  readonly field: RecordField
  readonly drafts: FieldDrafts
  readonly onDrafts: (change: (drafts: FieldDrafts) => FieldDrafts) => void
  readonly error: string | undefined
}

const OneField = ({ field, drafts, onDrafts, error }: OneFieldProps) => {
  const { definition, level } = field
  const draft = drafts.get(definition.key)
  const erased = draft !== undefined && draft.value === null
  const input = (
    <div>
      <FieldInput
        shape={definition}
        value={inputValue(field, drafts)}
        onChange={value => onDrafts(all => withDraft(all, field, value))}
        disabled={level !== 'write'}
        error={error}
        known={draft === undefined ? field.text : undefined}
        placeholder={erased ? inheritedText(definition) : undefined}
        note={<Note field={field} drafts={drafts} onDrafts={onDrafts} />}
      />
      {isStale(drafts, field) && draft !== undefined && (
        <Conflict field={field} mine={fieldText(definition, draft.value)} onDrafts={onDrafts} />
      )}
    </div>
  )
  return definition.type === 'long-text' ? <Wide>{input}</Wide> : input
}

/** A secret that is there is `true` until one types, so that its input says that it is. */
const inputValue = (field: RecordField, drafts: FieldDrafts): RecordField['value'] => {
  const draft = drafts.get(field.definition.key)
  if (draft !== undefined) return draft.value
  return field.definition.type === 'secret' ? field.value === true : shownValue(field)
}

const inheritedText = (definition: FieldDefinition): string | undefined =>
  definition.defaultValue === '' || isReference(definition.type)
    ? undefined
    : fieldText(definition, defaultOf(definition.type, definition.defaultValue))

const Note = ({ field, drafts, onDrafts }: Omit<OneFieldProps, 'error'>): ReactNode => {
  const { definition, level, origin } = field
  const draft = drafts.get(definition.key)
  const inherits = definition.defaultValue !== ''
  const said = draft === undefined ? originText(field) : draft.value === null ? erasedText(definition) : ''
  const parts = [
    definition.help,
    level === 'write' ? '' : words.readOnly,
    definition.type === 'secret' && field.value === true && draft === undefined ? words.secretSetHelp : '',
    said,
  ].filter(Boolean)
  const revertible =
    level === 'write' &&
    (inherits || definition.type === 'secret') &&
    (draft === undefined ? origin === 'own' : draft.value !== null)
  if (parts.length === 0 && !revertible) return undefined
  return (
    <span className={classes.note}>
      {parts.length > 0 && <span>{parts.join(' · ')}</span>}
      {revertible && (
        <button
          type="button"
          className={classes.revert}
          aria-label={`${inherits ? words.revert : words.erase} (${definition.label})`}
          onClick={() => onDrafts(all => withoutOwnValue(all, field))}
        >
          {inherits ? words.revert : words.erase}
        </button>
      )}
    </span>
  )
}
const erasedText = ({ defaultValue, scope, type }: FieldDefinition): string =>
  defaultValue !== ''
    ? words.willInherit
    : scope === 'host' && type !== 'secret'
      ? words.willEraseHost
      : words.willErase

interface ConflictProps {
  readonly field: RecordField
  readonly mine: string
  readonly onDrafts: OneFieldProps['onDrafts']
}
const Conflict = ({ field, mine, onDrafts }: ConflictProps) => (
  <div className={classes.stale} role="alert">
    <p>
      {field.definition.label}
      {field.updatedAt !== null && ` ${words.staleBy(field.updatedBy, formatAgo(field.updatedAt, Date.now()))}`}
    </p>
    <dl>
      <dt>{words.staleServer}</dt>
      <dd>{field.text === '' ? NOTHING : shownText(field.definition, field.text)}</dd>
      <dt>{words.staleMine}</dt>
      <dd>{field.definition.type === 'secret' ? words.secretSet : mine === '' ? NOTHING : mine}</dd>
    </dl>
    <div className={classes.staleActions}>
      <Button size="compact-sm" variant="default" onClick={() => onDrafts(all => takeServer(all, field))}>
        {words.takeServer}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => onDrafts(all => keepMine(all, field))}>
        {words.keepMine}
      </Button>
    </div>
  </div>
)
