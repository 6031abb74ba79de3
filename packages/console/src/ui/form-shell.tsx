import { Button } from '@mantine/core'
import { IconAlertTriangle, IconHistory, IconLock, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { form as words } from '../i18n/form.ts'
import { formatAgo, formatDateTime } from '../lib/format.ts'
import { ActionBar, ActionHint } from './action-bar.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import type { EntityForm } from './entity-form.ts'
import classes from './form-shell.module.css'
import { Notice } from './notice.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'

interface FormShellProps<V extends FieldValues, O> {
  readonly handle: EntityForm<V, O>
  /** French name of each field, for what changed meanwhile. */
  readonly labels: Readonly<Record<string, string>>
  readonly creating: boolean
  /** The account may look but not change. */
  readonly readOnly?: boolean
  readonly onCancel: () => void
  readonly onDelete?: (() => void) | undefined
  readonly children: ReactNode
}

/** Sections of fields between what was refused, above, and the actions that stay in sight, below. */
export const FormShell = <V extends FieldValues, O>(props: FormShellProps<V, O>) => {
  const { handle, labels, creating, readOnly = false, onCancel, onDelete, children } = props
  const { isSubmitting, isDirty } = handle.form.formState
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!isSubmitting) handle.submit()
      }}
    >
      <UnsavedGuard unsaved={handle.unsaved} />
      {readOnly && (
        <Notice tone="neutral" icon={<IconLock size={18} />}>
          {words.readOnly}
        </Notice>
      )}
      <RefusalNotice handle={handle} labels={labels} />
      <fieldset className={classes.fieldset} disabled={readOnly}>
        {children}
      </fieldset>
      <ActionBar>
        {!readOnly && (
          <Button type="submit" loading={isSubmitting}>
            {creating ? words.create : words.save}
          </Button>
        )}
        <Button variant="default" onClick={onCancel}>
          {words.cancel}
        </Button>
        {isDirty && <ActionHint>{words.unsavedHint}</ActionHint>}
        <span className={classes.spacer} />
        {onDelete !== undefined && !readOnly && (
          <Button variant="subtle" color="red" px="sm" leftSection={<IconTrash size={16} />} onClick={onDelete}>
            {words.delete}
          </Button>
        )}
      </ActionBar>
    </form>
  )
}

const RefusalNotice = <V extends FieldValues, O>({
  handle,
  labels,
}: Pick<FormShellProps<V, O>, 'handle' | 'labels'>) => {
  const { refusal, conflicts } = handle
  const wrong = Object.keys(handle.form.formState.errors).length
  if (refusal === null) return null
  const { newer } = refusal
  if (newer !== null) {
    return (
      <Notice tone="warning" icon={<IconHistory size={18} />} title={words.staleTitle}>
        <p title={formatDateTime(newer.at)}>
          {words.staleBy(newer.by, formatAgo(newer.at, Date.now()))} {words.staleHelp}
        </p>
        {conflicts !== null && (
          <ConflictDialog
            key={newer.at}
            conflicts={conflicts}
            by={newer.by}
            labels={labels}
            describe={handle.describe}
            newer={newer.values}
            onResolve={handle.resolve}
          />
        )}
      </Notice>
    )
  }
  if (refusal.general === '' && wrong === 0) return null
  return (
    <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.refused}>
      <p>{refusal.general === '' ? words.fieldsToCorrect(wrong) : refusal.general}</p>
    </Notice>
  )
}

interface FormSectionProps {
  readonly title: string
  readonly help?: ReactNode
  readonly children: ReactNode
}

/** Fields that belong together, with what they are for beside them. */
export const FormSection = ({ title, help, children }: FormSectionProps) => {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div>
        <h2 className={classes.sectionTitle} id={id}>
          {title}
        </h2>
        {help !== undefined && <p className={classes.sectionHelp}>{help}</p>}
      </div>
      <div className={classes.fields}>{children}</div>
    </section>
  )
}

/** A field that takes the whole width of its section. */
export const Wide = ({ children }: { readonly children: ReactNode }) => <div className={classes.wide}>{children}</div>
