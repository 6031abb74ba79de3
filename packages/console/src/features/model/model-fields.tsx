import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useController } from 'react-hook-form'
import { orNothing } from '../../lib/custom-field.ts'
import { readableDefinitionsQuery } from '../../lib/custom-field-queries.ts'
import { FormSection, Wide } from '../../ui/form-shell.tsx'
import { FieldInput } from '../../ui/record-fields-input.tsx'
import { fr } from './fr.ts'
import type { ModelControl } from './model-schema.ts'

/** A model may say these of all its hosts; secrets belong to one. */
const isCommon = ({ scope, type }: { readonly scope: string; readonly type: string }): boolean =>
  scope === 'host' && type !== 'secret'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const messageAt = (errors: unknown, key: string): string | undefined => {
  const one = isRecord(errors) ? errors[key] : undefined
  return isRecord(one) && typeof one.message === 'string' ? one.message : undefined
}

/** Values of custom fields that hosts of the model have where they have none of their own. */
export const ModelFields = ({ control }: { readonly control: ModelControl }) => {
  const { data } = useQuery(readableDefinitionsQuery)
  const { field, fieldState } = useController({ control, name: 'definition.fields' })
  const definitions = (data ?? []).filter(isCommon)
  const values = field.value ?? {}
  return (
    <FormSection title={fr.sections.fields} help={fr.sections.fieldsHelp}>
      {data !== undefined && definitions.length === 0 && (
        <Wide>
          <Text size="sm" c="dimmed">
            {fr.noFields}
          </Text>
        </Wide>
      )}
      {definitions.map(definition => (
        <FieldInput
          key={definition.id}
          shape={{ ...definition, required: false }}
          value={values[definition.key] ?? null}
          error={messageAt(fieldState.error, definition.key)}
          note={definition.help === '' ? fr.fieldInherited : definition.help}
          onChange={value => {
            const { [definition.key]: _, ...others } = values
            const said = orNothing(value)
            field.onChange(said === null ? others : { ...others, [definition.key]: said })
          }}
        />
      ))}
    </FormSection>
  )
}
