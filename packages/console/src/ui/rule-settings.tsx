import { Button, NumberInput, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type RuleScope, type RuleSetting, type RuleSettings, ruleSettingRoutes } from '@narval/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { rule as words } from '../i18n/rule.ts'
import { ApiError, call } from '../lib/api.ts'
import { originText, ruleText } from '../lib/rule-text.ts'
import { FIELD_ORDER } from './form-fields.tsx'
import { InheritedField } from './inherited-field.tsx'
import { Card, ErrorState, errorText, LoadingState } from './page.tsx'
import classes from './rule-settings.module.css'
import { UnsavedGuard } from './unsaved-guard.tsx'

interface RuleSettingsPanelProps {
  readonly scope: RuleScope
  readonly id: number
  readonly canWrite: boolean
}

/** The rules in force for an object; id null: there is none yet. */
export const useRuleSettings = (scope: RuleScope, id: number | null) =>
  useQuery({
    queryKey: ['rules', scope, id],
    queryFn: ({ signal }) => call(ruleSettingRoutes.get, { query: { scope, id: id ?? 0 }, signal }),
    enabled: id !== null,
  })

/** Rules of judging that a site, model, host, scanner or metric has of its own, or inherits and from where. */
export const RuleSettingsPanel = ({ scope, id, canWrite }: RuleSettingsPanelProps) => {
  const { data, error, refetch } = useRuleSettings(scope, id)
  return (
    <Card title={words.title} className={classes.panel}>
      <p className={classes.note}>{scope === 'model' ? words.helpModel : words.help}</p>
      {data === undefined && error === null && <LoadingState height={240} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <RuleForm scope={scope} id={id} rules={data.rules.filter(isSetHere)} canWrite={canWrite} />
      )}
    </Card>
  )
}

/** Those of the form of the page are edited there; a second field would hide which one is kept. */
const isSetHere = ({ place }: RuleSetting): boolean => place === 'here'

type Value = number | boolean | null
/** What was typed and not saved; '' in a field of a number that was emptied. */
type Draft = ReadonlyMap<string, Value | ''>

const RuleForm = ({
  scope,
  id,
  rules,
  canWrite,
}: RuleSettingsPanelProps & { readonly rules: readonly RuleSetting[] }) => {
  const client = useQueryClient()
  const [draft, setDraft] = useState<Draft>(new Map())
  const typed = useRef(draft)
  typed.current = draft
  const unsaved = useCallback(() => typed.current.size > 0, [])
  const type = (rule: RuleSetting, value: Value | ''): void => {
    const next = new Map(draft)
    if (value === rule.own) next.delete(rule.key)
    else next.set(rule.key, value)
    setDraft(next)
  }
  const saving = useMutation({
    mutationFn: () => {
      const values = [...draft].map(([key, value]) => [key, value === '' ? null : value] as const)
      return call(ruleSettingRoutes.update, { params: { scope, id }, body: { values: Object.fromEntries(values) } })
    },
    onSuccess: (saved: RuleSettings) => {
      setDraft(new Map())
      client.setQueryData(['rules', scope, id], saved)
      void client.invalidateQueries({ queryKey: ['rules'] })
      notifications.show({ color: 'green', message: words.saved })
    },
  })
  const faults = saving.error instanceof ApiError ? (saving.error.problem.fields ?? {}) : {}
  const isEmpty = [...draft.values()].includes('')
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (!isEmpty) saving.mutate()
      }}
    >
      <UnsavedGuard unsaved={unsaved} />
      <div className={classes.rules}>
        {rules.map(rule => (
          <RuleField
            key={rule.key}
            rule={rule}
            value={draft.has(rule.key) ? (draft.get(rule.key) ?? null) : rule.own}
            fault={faults[`values.${rule.key}`]}
            onChange={canWrite ? value => type(rule, value) : null}
          />
        ))}
      </div>
      {canWrite && (
        <div className={classes.actions}>
          {saving.error !== null && (
            <p className={classes.error} role="alert">
              {errorText(saving.error)}
            </p>
          )}
          <Button
            variant="default"
            disabled={draft.size === 0}
            onClick={() => {
              saving.reset()
              setDraft(new Map())
            }}
          >
            {words.cancel}
          </Button>
          <Button type="submit" disabled={draft.size === 0 || isEmpty} loading={saving.isPending}>
            {words.save}
          </Button>
        </div>
      )}
    </form>
  )
}

interface RuleFieldProps {
  readonly rule: RuleSetting
  /** Its own value as it is typed; null: inherited. */
  readonly value: Value | ''
  readonly fault: string | undefined
  /** Null: it is not set here. */
  readonly onChange: ((value: Value | '') => void) | null
}

/** One rule: its own value, or the inherited one greyed with where it comes from. */
const RuleField = ({ rule, value, fault, onChange }: RuleFieldProps) => {
  const isOwn = value !== null
  const [above, otherwise] = [originText(rule.inherited.origin), ruleText(rule, rule.inherited.value)]
  // A switch that is greyed hardly shows where it stands: the word does.
  const inherited = rule.type === 'boolean' ? words.inheritedValue(above, otherwise) : words.inherited(above)
  const origin = isOwn ? words.own(otherwise, above) : inherited
  const shown = isOwn ? value : rule.inherited.value
  const isFixed = onChange === null || !isOwn
  return (
    <InheritedField
      label={rule.label}
      origin={origin}
      own={isOwn}
      onCustomize={onChange === null ? undefined : () => onChange(rule.inherited.value)}
      onRevert={onChange === null ? undefined : () => onChange(null)}
    >
      {rule.type === 'boolean' ? (
        <Switch
          classNames={{ track: classes.track ?? '', thumb: classes.thumb ?? '' }}
          label={rule.label}
          description={rule.help}
          error={fault}
          checked={shown === true}
          disabled={isFixed}
          onChange={event => onChange?.(event.currentTarget.checked)}
        />
      ) : (
        <NumberInput
          label={rule.label}
          description={rule.help}
          inputWrapperOrder={FIELD_ORDER}
          error={value === '' ? words.required : fault}
          value={typeof shown === 'boolean' ? '' : shown}
          suffix={rule.unit === '' ? '' : ` ${rule.unit}`}
          min={rule.min ?? 0}
          max={rule.max ?? undefined}
          allowDecimal={false}
          allowNegative={false}
          disabled={isFixed}
          onChange={next => onChange?.(typeof next === 'number' ? next : '')}
        />
      )}
    </InheritedField>
  )
}
