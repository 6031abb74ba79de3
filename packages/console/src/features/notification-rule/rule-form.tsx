import {
  HOLIDAY_RULES,
  type NotificationRule,
  type NotificationRuleInput,
  notificationRule,
  notificationRuleBody,
  notificationRuleRoutes,
  RULE_KINDS,
  RULE_SEVERITIES,
  type RuleChoices,
} from '@narval/contracts'
import { HOLIDAY_REGIONS } from '@narval/engine'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { type Control, useWatch } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import type { OptionSource } from '../../lib/option-source.ts'
import { hostTypeOptions, siteOptions } from '../../lib/option-sources.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { ChoiceField, ChoicesField, NumberField, SwitchField, TagsField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OpeningHoursField } from '../../ui/opening-hours.tsx'
import { RemoteMultiSelectField } from '../../ui/remote-multi-select.tsx'
import { TimeZoneField } from '../../ui/time-zone-field.tsx'
import { fr } from './fr.ts'
import classes from './rule.module.css'
import { type RuleNames, ruleSentence } from './rule-sentence.ts'
import { StepFields } from './step-fields.tsx'

const MAX_CHOICES = 200
const choicesOf = <T extends string>(values: readonly T[], labels: Readonly<Record<T, string>>) =>
  values.map(value => ({ value, label: labels[value] }))

interface RuleFormProps {
  /** Null: a new one. */
  readonly rule: NotificationRule | null
  readonly values: NotificationRuleInput
  readonly choices: RuleChoices
  readonly onSaved: (rule: NotificationRule) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
}

/** The fields of a rule, with what they say in plain French as one types. */
export const RuleForm = ({ rule, values, choices, onSaved, onCancel, onDelete }: RuleFormProps) => {
  const handle = useEntityForm({
    schema: notificationRuleBody,
    values: inputOf(values),
    basedOn: rule?.updatedAt ?? null,
    labels: fr.fields,
    readNewer,
    save: (body, updatedAt) =>
      rule === null || updatedAt === null
        ? call(notificationRuleRoutes.create, { body })
        : call(notificationRuleRoutes.update, { params: { id: rule.id }, body: { ...body, updatedAt } }),
    onSaved,
  })
  const { control } = handle.form
  const names = { ...choices, sites: rule?.sites ?? [], hostTypes: rule?.hostTypes ?? [] }
  return (
    <FormShell
      handle={handle}
      labels={fr.fields}
      creating={rule === null}
      onCancel={onCancel}
      {...(onDelete === undefined ? {} : { onDelete })}
    >
      {rule !== null && rule.faults.length > 0 && (
        <Notice tone="warning" icon={<IconAlertTriangle size={18} />} title={fr.faults}>
          {rule.faults.map(fault => (
            <p key={fault}>{fault}</p>
          ))}
        </Notice>
      )}
      <FormSection title={fr.oneTitle}>
        <TextField control={control} name="name" label={fr.fields.name} required autoFocus />
        <SwitchField control={control} name="enabled" label={fr.fields.enabled} help={fr.help.enabled} />
        <Wide>
          <Preview control={control} names={names} />
        </Wide>
      </FormSection>
      <WhatFields control={control} rule={rule} />
      <FormSection title={fr.sections.when} help={fr.help.period}>
        <Wide>
          <OpeningHoursField control={control} name="period.hours" label={fr.period.hours} />
        </Wide>
        <ChoiceField
          control={control}
          name="period.holidays"
          label={fr.period.holidays}
          choices={choicesOf(HOLIDAY_RULES, fr.holidays)}
        />
        <ChoiceField
          control={control}
          name="period.region"
          label={fr.period.region}
          choices={choicesOf(HOLIDAY_REGIONS, fr.regions)}
        />
        <TimeZoneField control={control} name="period.timeZone" label={fr.period.timeZone} required />
      </FormSection>
      <FormSection title={fr.sections.who} help={fr.sections.whoHelp}>
        <Wide>
          <StepFields control={control} choices={choices} />
        </Wide>
      </FormSection>
      <PaceFields control={control} />
    </FormShell>
  )
}

type RuleControl = Control<NotificationRuleInput, unknown, NotificationRuleInput>

const inputOf = (rule: NotificationRuleInput): NotificationRuleInput => {
  const parsed = notificationRuleBody.safeParse(rule)
  return parsed.success ? parsed.data : rule
}
const readNewer = (current: unknown): NotificationRuleInput | null => {
  const parsed = notificationRule.safeParse(current)
  return parsed.success ? inputOf(parsed.data) : null
}

const Preview = ({ control, names }: { readonly control: RuleControl; readonly names: RuleNames }) => {
  const watched = useWatch({ control })
  const typed = notificationRuleBody.safeParse(watched)
  const sites = useNames(siteOptions, watched.siteIds ?? [], names.sites)
  const hostTypes = useNames(hostTypeOptions, watched.hostTypeIds ?? [], names.hostTypes)
  // A name is no part of the sentence: it is shown before there is one.
  if (!typed.success) return null
  return (
    <section aria-label={fr.sections.preview}>
      <strong>{fr.sections.preview}</strong>
      <ul className={classes.sentence}>
        {ruleSentence(typed.data, { ...names, sites, hostTypes }).map(part => (
          <li key={part}>{part}</li>
        ))}
      </ul>
    </section>
  )
}

/** Names of what was chosen since the form was opened too. */
const useNames = (source: OptionSource, ids: readonly number[], known: RuleNames['sites']): RuleNames['sites'] => {
  const missing = ids.filter(id => !known.some(one => one.id === id))
  const asked = useQueries({
    queries: missing.map(id => ({
      queryKey: ['option-name', source.key, id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => source.nameOf(id, signal),
    })),
  })
  return [...known, ...missing.map((id, index) => ({ id, name: asked[index]?.data ?? '…' }))]
}

const WhatFields = ({ control, rule }: { readonly control: RuleControl; readonly rule: NotificationRule | null }) => (
  <FormSection title={fr.sections.what} help={fr.sections.whatHelp}>
    <ChoicesField
      control={control}
      name="severities"
      label={fr.fields.severities}
      required
      choices={choicesOf(RULE_SEVERITIES, fr.severities)}
    />
    <ChoicesField
      control={control}
      name="kinds"
      label={fr.fields.kinds}
      required
      choices={choicesOf(RULE_KINDS, fr.kinds)}
    />
    <RemoteMultiSelectField
      control={control}
      name="siteIds"
      label={fr.fields.siteIds}
      help={fr.help.siteIds}
      source={siteOptions}
      known={rule?.sites ?? []}
      max={MAX_CHOICES}
    />
    <RemoteMultiSelectField
      control={control}
      name="hostTypeIds"
      label={fr.fields.hostTypeIds}
      help={fr.help.hostTypeIds}
      source={hostTypeOptions}
      known={rule?.hostTypes ?? []}
      max={MAX_CHOICES}
    />
    <TagsField control={control} name="tags" label={fr.fields.tags} help={fr.help.tags} />
  </FormSection>
)

const PaceFields = ({ control }: { readonly control: RuleControl }) => (
  <FormSection title={fr.sections.pace} help={fr.sections.paceHelp}>
    <NumberField control={control} name="waitSeconds" label={fr.fields.waitSeconds} unit="s" help={fr.help.byDefault} />
    <NumberField
      control={control}
      name="newsMinutes"
      label={fr.fields.newsMinutes}
      unit="min"
      help={fr.help.byDefault}
    />
    <NumberField
      control={control}
      name="reminderMinutes"
      label={fr.fields.reminderMinutes}
      unit="min"
      help={`${fr.help.byDefault} ${fr.help.reminder}`}
    />
    <SwitchField control={control} name="tellRecovery" label={fr.fields.tellRecovery} />
    <SwitchField control={control} name="tellBrief" label={fr.fields.tellBrief} />
    <SwitchField control={control} name="stop" label={fr.fields.stop} help={fr.help.stop} />
  </FormSection>
)
