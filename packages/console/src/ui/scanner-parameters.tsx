import { Text } from '@mantine/core'
import type { CheckKind, ParameterField } from '@narval/contracts'
import { type Control, type FieldValues, useWatch } from 'react-hook-form'
import { scanner as fr } from '../i18n/scanner.ts'
import { parameterFields } from '../lib/scanner-kinds.ts'
import { fieldAt } from './field-path.ts'
import {
  ChoiceField,
  ChoicesField,
  NumberField,
  ParagraphField,
  SwitchField,
  TagsField,
  TextField,
} from './form-fields.tsx'
import { Wide } from './form-shell.tsx'
import { TableField } from './table-field.tsx'

interface Props<V extends FieldValues, O> {
  readonly control: Control<V, unknown, O>
  /** Path of the parameters in the form: `parameters`, `definition.scanners.2.parameters`. */
  readonly at: string
  readonly disabled?: boolean
}

/** One parameter, as its kind describes it. */
const Parameter = <V extends FieldValues, O>({
  control,
  at,
  name,
  field,
  disabled,
}: Props<V, O> & { readonly name: string; readonly field: ParameterField }) => {
  const { label, help, required } = field
  const shared = { control, name: fieldAt<V>(at, name), label, help, required, disabled }
  switch (field.type) {
    case 'text':
      return <TextField {...shared} placeholder={field.placeholder} />
    case 'paragraph':
      return <ParagraphField {...shared} placeholder={field.placeholder} />
    case 'number':
      return <NumberField {...shared} unit={field.unit} decimals={field.decimals} plain={field.plain} />
    case 'switch':
      return <SwitchField {...shared} />
    case 'choice':
      return <ChoiceField {...shared} choices={field.choices} />
    case 'choices':
      return <ChoicesField {...shared} choices={field.choices} />
    case 'words':
      return <TagsField {...shared} />
    case 'table':
      return (
        <TableField
          {...shared}
          add={field.add}
          empty={field.empty}
          columns={Object.entries(field.columns).map(([key, column]) => ({
            key,
            label: column.label,
            render: row => <Parameter control={control} at={row} name={key} field={column} disabled={disabled} />,
          }))}
        />
      )
    default:
      return field satisfies never
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The parameters of a kind of check, as fields of any form that holds them. */
export const ParameterFields = <V extends FieldValues, O>({
  kind,
  ...rest
}: Props<V, O> & { readonly kind: CheckKind }) => {
  const value: unknown = useWatch({ control: rest.control, name: fieldAt<V>(rest.at) })
  const parameters = isRecord(value) ? value : {}
  const fields = parameterFields(kind)
  if (fields.length === 0)
    return (
      <Wide>
        <Text size="sm" c="dimmed">
          {fr.noParameters}
        </Text>
      </Wide>
    )
  return fields
    .filter(([, field]) => field.when === undefined || field.when(parameters))
    .map(([name, field]) => {
      const one = <Parameter key={name} {...rest} name={name} field={field} />
      return field.wide === true || field.type === 'table' ? <Wide key={name}>{one}</Wide> : one
    })
}
