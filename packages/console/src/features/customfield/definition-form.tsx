import {
  FIELD_SCOPES,
  type FieldDefinition,
  type FieldGroup,
  type FieldValue,
  fieldDefinitionBody,
} from '@narval/contracts'
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { customField } from '../../i18n/custom-field.ts'
import {
  FIELD_PARAMETERS,
  measuredUnit,
  proposeKey,
  unitLabel,
  withoutForeignParameters,
} from '../../lib/custom-field.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { ChoiceField, NumberField, SwitchField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { MeasureField } from '../../ui/measure-field.tsx'
import { FieldInput, type FieldShape } from '../../ui/record-fields-input.tsx'
import { ChoiceListField } from './choice-list-field.tsx'
import { DefaultField, GroupField, TypeField, TypesField, UnitField } from './definition-fields.tsx'
import classes from './definition-form.module.css'
import {
  type DefinitionOutput,
  type DefinitionValues,
  definitionValues,
  newDefinition,
  readNewerDefinition,
} from './definition-values.ts'
import { saveDefinition } from './field-queries.ts'
import { fr } from './fr.ts'
import { RegexTry } from './regex-try.tsx'

type Form = UseFormReturn<DefinitionValues, unknown, DefinitionOutput>
const { fields, help, sections } = fr.form
const SCOPE_CHOICES = FIELD_SCOPES.map(scope => ({ value: scope, label: customField.scopes[scope] }))

interface DefinitionFormProps {
  /** Null: a new field. */
  readonly definition: FieldDefinition | null
  readonly groups: readonly FieldGroup[]
  readonly onSaved: (definition: FieldDefinition) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
}

/** Proposes the key while it is still the one that the label gave. */
const useProposedKey = (form: Form, enabled: boolean): void => {
  const label = form.watch('label')
  const proposed = useRef('')
  useEffect(() => {
    if (!enabled || form.getValues('key') !== proposed.current) return
    proposed.current = proposeKey(label)
    if (form.getValues('key') !== proposed.current)
      form.setValue('key', proposed.current, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }, [form, label, enabled])
}

/** What a field is, with only the parameters that its type needs, and how it will look. */
export const DefinitionForm = ({ definition, groups, onSaved, onCancel, onDelete }: DefinitionFormProps) => {
  const only = groups.length === 1 ? (groups[0]?.id ?? null) : null
  const handle = useEntityForm<DefinitionValues, DefinitionOutput, FieldDefinition>({
    schema: fieldDefinitionBody,
    values: definition === null ? newDefinition(only) : definitionValues(definition),
    basedOn: definition?.updatedAt ?? null,
    labels: fields,
    readNewer: readNewerDefinition,
    save: (input, basedOn) => saveDefinition(definition?.id ?? null, withoutForeignParameters(input), basedOn),
    onSaved,
  })
  const { form } = handle
  const { control } = form
  useProposedKey(form, definition === null)
  const { key, scope } = form.watch()
  const filled = definition !== null && definition.values > 0
  return (
    <FormShell handle={handle} labels={fields} creating={definition === null} onCancel={onCancel} onDelete={onDelete}>
      <FormSection title={sections.what} help={sections.whatHelp}>
        <TextField control={control} name="label" label={fields.label} required autoFocus={definition === null} />
        <TextField
          control={control}
          name="key"
          label={fields.key}
          help={definition === null ? help.key(key) : help.keyFixed(key)}
          required
          disabled={definition !== null}
        />
        <Wide>
          <TextField control={control} name="help" label={fields.help} help={help.help} />
        </Wide>
      </FormSection>
      <FormSection title={sections.type} help={sections.typeHelp}>
        <Wide>
          <TypeField control={control} filled={filled} />
        </Wide>
        <Parameters form={form} />
        <Wide>
          <SwitchField control={control} name="required" label={fields.required} help={help.required} />
        </Wide>
      </FormSection>
      <FormSection title={sections.where} help={sections.whereHelp}>
        <GroupField control={control} groups={groups} />
        <ChoiceField
          control={control}
          name="scope"
          label={fields.scope}
          help={filled ? help.scopeFixed : help.scope}
          choices={SCOPE_CHOICES}
          disabled={filled}
          required
        />
        <Wide>
          <TypesField control={control} scope={scope} />
        </Wide>
      </FormSection>
      <FormSection title={sections.preview} help={sections.previewHelp}>
        <Wide>
          <FieldPreview form={form} />
        </Wide>
      </FormSection>
    </FormShell>
  )
}

const shapeOf = (values: DefinitionValues): FieldShape => ({
  type: values.type,
  label: values.label,
  unit: values.unit ?? '',
  choices: values.choices ?? [],
  required: values.required ?? false,
})

const Parameters = ({ form }: { readonly form: Form }) => {
  const { control } = form
  const values = form.watch()
  const parameters = FIELD_PARAMETERS[values.type]
  return (
    <>
      {parameters.includes('unit') && (
        <Wide>
          <UnitField control={control} />
        </Wide>
      )}
      {parameters.includes('bounds') && (
        <>
          <Bound form={form} name="min" />
          <Bound form={form} name="max" />
        </>
      )}
      {parameters.includes('choices') && (
        <Wide>
          <ChoiceListField control={control} />
        </Wide>
      )}
      {parameters.includes('regex') && (
        <>
          <TextField control={control} name="regex" label={fields.regex} help={help.regex} />
          <RegexTry pattern={values.regex ?? ''} />
        </>
      )}
      {parameters.includes('default') && (
        <Wide>
          <DefaultField control={control} shape={shapeOf(values)} />
        </Wide>
      )}
    </>
  )
}

const Bound = ({ form, name }: { readonly form: Form; readonly name: 'min' | 'max' }) => {
  const { unit = '', type } = form.watch()
  const measured = measuredUnit(unit)
  const common = { control: form.control, name, label: fields[name] }
  return measured === null ? (
    <NumberField {...common} {...(unit !== '' && { unit: unitLabel(unit) })} decimals={type === 'integer' ? 0 : 6} />
  ) : (
    <MeasureField key={measured} {...common} unit={measured} />
  )
}

/** The field as who may write it will see it. */
const FieldPreview = ({ form }: { readonly form: Form }) => {
  const values = form.watch()
  const [tried, setTried] = useState<{ readonly type: string; readonly value: FieldValue }>({
    type: values.type,
    value: null,
  })
  if (values.label.trim() === '') return <p className={classes.previewNone}>{fr.form.noPreview}</p>
  return (
    <FieldInput
      key={`${values.type} ${values.unit ?? ''}`}
      shape={shapeOf(values)}
      value={tried.type === values.type ? tried.value : null}
      onChange={value => setTried({ type: values.type, value })}
      note={values.help === '' ? undefined : values.help}
    />
  )
}
