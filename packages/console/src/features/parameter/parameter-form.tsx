import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { SETTING_SECTIONS, type SettingValue } from '@narval/contracts'
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { readProblem } from '../../lib/form-problem.ts'
import { reloadPublicConfiguration } from '../../lib/public-configuration.ts'
import { ActionBar, ActionHint } from '../../ui/action-bar.tsx'
import { FormSection } from '../../ui/form-shell.tsx'
import { Notice } from '../../ui/notice.tsx'
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx'
import { fr } from './fr.ts'
import classes from './parameter.module.css'
import {
  type Draft,
  faultOf,
  overtaken,
  sectionsOf,
  seenOf,
  shownOf,
  typed,
  type Value,
  valueText,
} from './parameter-draft.ts'
import { ParameterField } from './parameter-field.tsx'

interface FormProps {
  /** As they were when the page was opened. */
  readonly settings: readonly SettingValue[]
  /** When what was saved begins to count. */
  readonly inForce: string
  readonly read: () => Promise<readonly SettingValue[]>
  /** `seen`: the newest change that the form knew. */
  readonly write: (seen: string, values: Record<string, Value | null>) => Promise<readonly SettingValue[]>
}

const NONE: Draft = new Map()
/** Saved from the middle of the page: what was refused stands above it. */
const show = (notice: HTMLElement | null): void => notice?.scrollIntoView({ block: 'nearest' })

/** All settings of a group, saved together; what somebody else changed meanwhile is shown and never overwritten unseen. */
export const ParameterForm = ({ settings, inForce, read, write }: FormProps) => {
  const client = useQueryClient()
  const [base, setBase] = useState(settings)
  const [draft, setDraft] = useState<Draft>(NONE)
  const [stale, setStale] = useState<readonly SettingValue[]>([])
  const current = useRef(draft)
  current.current = draft
  const unsaved = useCallback(() => current.current.size > 0, [])
  const saving = useMutation({
    mutationFn: () => write(seenOf(base), Object.fromEntries(draft)),
    onSuccess: saved => {
      notifications.show({ color: 'green', title: fr.saved(draft.size), message: inForce })
      setDraft(NONE)
      setBase(saved)
      setStale([])
      void reloadPublicConfiguration()
      for (const queryKey of [['parameter'], ['rules']]) void client.invalidateQueries({ queryKey })
    },
    onError: async error => {
      if (!(error instanceof ApiError) || error.status !== 409) return
      const fresh = await read()
      setStale(overtaken(base, fresh, draft))
      setBase(fresh)
    },
  })
  const change = (setting: SettingValue, value: Value | null): void => setDraft(typed(draft, setting, value))
  const forget = (setting: SettingValue): void => {
    const next = new Map(draft)
    next.delete(setting.key)
    setDraft(next)
    setStale(stale.filter(({ key }) => key !== setting.key))
  }
  const refusal = refusalOf(saving.error, base)
  const faults = new Map(
    base.flatMap(setting => {
      const fault = draft.has(setting.key) ? faultOf(setting, draft.get(setting.key) ?? null) : null
      const told = fault ?? refusal.fields.get(setting.key)
      return told === undefined ? [] : [[setting.key, told] as const]
    }),
  )
  const isWrong = base.some(setting => faultOf(setting, draft.get(setting.key) ?? null) !== null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (draft.size > 0 && !isWrong && !saving.isPending) saving.mutate()
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate aria-label={fr.title}>
      <UnsavedGuard unsaved={unsaved} />
      {stale.length > 0 && (
        <div ref={show} className={classes.notice}>
          <Stale settings={stale} draft={draft} onTake={forget} />
        </div>
      )}
      {stale.length === 0 && refusal.general !== '' && (
        <div ref={show} className={classes.notice}>
          <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={fr.refused}>
            <p role="alert">{refusal.general}</p>
          </Notice>
        </div>
      )}
      {sectionsOf(base, SETTING_SECTIONS).map(({ section, settings: own }) => (
        <FormSection key={section} title={fr.sections[section].title} help={fr.sections[section].help}>
          {own.map(setting => (
            <ParameterField
              key={setting.key}
              setting={setting}
              {...shownOf(setting, draft)}
              isSaved={!draft.has(setting.key)}
              fault={faults.get(setting.key)}
              onChange={value => change(setting, value)}
            />
          ))}
        </FormSection>
      ))}
      <ActionBar>
        <Button type="submit" disabled={draft.size === 0 || isWrong} loading={saving.isPending}>
          {fr.save}
        </Button>
        <Button
          variant="default"
          disabled={draft.size === 0}
          onClick={() => {
            saving.reset()
            setDraft(NONE)
            setStale([])
          }}
        >
          {fr.cancel}
        </Button>
        {draft.size > 0 && <ActionHint>{fr.changes(draft.size)}</ActionHint>}
      </ActionBar>
    </form>
  )
}

interface StaleProps {
  readonly settings: readonly SettingValue[]
  readonly draft: Draft
  readonly onTake: (setting: SettingValue) => void
}

/** What somebody else saved first, beside what was typed: one's own stays unless the other is taken. */
const Stale = ({ settings, draft, onTake }: StaleProps) => (
  <Notice tone="warning" icon={<IconHistory size={18} />} title={fr.staleTitle}>
    <p role="alert">{fr.staleText}</p>
    <ul className={classes.stale}>
      {settings.map(setting => (
        <li key={setting.key}>
          <span>
            {fr.stale(
              setting.label,
              setting.updatedBy ?? fr.somebody,
              valueText(setting, setting.value),
              valueText(setting, draft.get(setting.key) ?? setting.default),
            )}
          </span>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onTake(setting)}
            aria-label={fr.takeOf(setting.label)}
          >
            {fr.take}
          </Button>
        </li>
      ))}
    </ul>
  </Notice>
)

/** What the server refused: sentences beside their fields, one above for the rest. */
const refusalOf = (error: Error | null, settings: readonly SettingValue[]) => {
  if (error === null) return { fields: new Map<string, string>(), general: '' }
  if (!(error instanceof ApiError) || error.status === 0)
    return { fields: new Map<string, string>(), general: fr.unreachable }
  const keys = settings.map(({ key }) => key)
  const { fields, general } = readProblem(error.problem, keys)
  return {
    fields: new Map(fields.map(({ path, message }) => [path, message])),
    general: general === '' && fields.length > 0 ? fr.refusedFields(fields.length) : general,
  }
}
