import { ActionIcon, Button, MultiSelect } from '@mantine/core'
import { MAX_RULE_STEPS, type NotificationRuleInput, type RuleChoices } from '@narval/contracts'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type Control, useController, useFieldArray } from 'react-hook-form'
import { FIELD_ORDER, NumberField } from '../../ui/form-fields.tsx'
import { fr } from './fr.ts'
import classes from './rule.module.css'

type RuleControl = Control<NotificationRuleInput, unknown, NotificationRuleInput>

interface StepFieldsProps {
  readonly control: RuleControl
  readonly choices: RuleChoices
}

/** Minutes by which one more step follows the last. */
const NEXT_STEP = 15

/** Who is told, step after step, as long as nobody takes care of it. */
export const StepFields = ({ control, choices }: StepFieldsProps) => {
  const { fields, append, remove } = useFieldArray({ control, name: 'steps' })
  const { fieldState } = useController({ control, name: 'steps' })
  const last = fields.at(-1)
  return (
    <div className={classes.steps}>
      {fields.map((step, index) => (
        <fieldset key={step.id} className={classes.step} aria-label={fr.step.title(index)}>
          <div className={classes.stepHead}>
            <span>{fr.step.title(index)}</span>
            {fields.length > 1 && (
              <ActionIcon variant="subtle" color="red" aria-label={fr.step.remove(index)} onClick={() => remove(index)}>
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </div>
          <div className={classes.pair}>
            <NumberField control={control} name={`steps.${index}.afterMinutes`} label={fr.step.after} unit="min" />
            <NumberField
              control={control}
              name={`steps.${index}.untilMinutes`}
              label={fr.step.until}
              unit="min"
              help={fr.step.untilHelp}
            />
          </div>
          <div className={classes.pair}>
            <IdsField
              control={control}
              name={`steps.${index}.accountIds`}
              label={fr.step.accounts}
              of={people(choices)}
            />
            <IdsField control={control} name={`steps.${index}.groupIds`} label={fr.step.groups} of={choices.groups} />
          </div>
          <IdsField
            control={control}
            name={`steps.${index}.channelIds`}
            label={fr.step.channels}
            help={fr.step.channelsHelp}
            of={channels(choices)}
            required
          />
        </fieldset>
      ))}
      {fieldState.error?.message !== undefined && (
        <p className={classes.fault} role="alert">
          {fieldState.error.message}
        </p>
      )}
      <div>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={14} />}
          disabled={fields.length >= MAX_RULE_STEPS}
          onClick={() =>
            append({
              ...{ afterMinutes: Number(last?.afterMinutes ?? 0) + NEXT_STEP, untilMinutes: null },
              ...{ accountIds: [], groupIds: [], channelIds: [...(last?.channelIds ?? [])] },
            })
          }
        >
          {fr.step.add}
        </Button>
      </div>
    </div>
  )
}

const people = ({ accounts }: RuleChoices): Named[] =>
  accounts.map(({ id, name, email, phone }) => ({ id, name: email || phone ? name : `${name} (${fr.step.noAddress})` }))
const channels = ({ channels: all }: RuleChoices): Named[] =>
  all.map(({ id, name, enabled }) => ({ id, name: enabled ? name : `${name} (${fr.step.off})` }))

interface Named {
  readonly id: number
  readonly name: string
}
interface IdsFieldProps {
  readonly control: RuleControl
  readonly name: `steps.${number}.${'accountIds' | 'groupIds' | 'channelIds'}`
  readonly label: string
  readonly help?: string
  readonly required?: boolean
  readonly of: readonly Named[]
}

/** Several of those that there are; one that was deleted keeps its number until it is taken out. */
const IdsField = ({ control, name, label, help, required = false, of }: IdsFieldProps) => {
  const { field, fieldState } = useController({ control, name })
  const lost = field.value.filter(id => !of.some(one => one.id === id))
  const options = [...of, ...lost.map(id => ({ id, name: `n° ${id}` }))]
  return (
    <MultiSelect
      label={label}
      ref={field.ref}
      value={field.value.map(String)}
      onChange={next => field.onChange(next.map(Number))}
      onBlur={field.onBlur}
      data={options.map(one => ({ value: String(one.id), label: one.name }))}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required}
      error={fieldState.error?.message}
      searchable={options.length > 8}
      clearable
    />
  )
}
