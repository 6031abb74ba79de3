import type { ChannelKind } from '@narval/contracts'
import { type Control, useWatch } from 'react-hook-form'
import { ChoiceField, NumberField, ParagraphField, SwitchField, TagsField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, Wide } from '../../ui/form-shell.tsx'
import { TableField } from '../../ui/table-field.tsx'
import { CHANNEL_SETTINGS, type Setting } from './channel-settings.ts'
import type { ChannelValues } from './channel-values.ts'
import { fr } from './fr.ts'
import { SecretField } from './secret-field.tsx'
import { TemplateHelp } from './template-help.tsx'

const { fields } = fr

interface ChannelControl<O> {
  readonly control: Control<ChannelValues, unknown, O>
}

interface KindFieldsProps<O> extends ChannelControl<O> {
  readonly kind: ChannelKind
  /** Which secrets are stored. */
  readonly secrets: Readonly<Record<string, boolean>>
}

/** The settings of a kind. */
export const KindFields = <O,>({ kind, control, secrets }: KindFieldsProps<O>) => {
  const isGet = useWatch({ control, name: 'settings.method' }) === 'GET'
  return CHANNEL_SETTINGS[kind].map(({ title, help, template, settings }) => (
    <FormSection key={title} title={title} help={template === true ? <TemplateHelp control={control} /> : help}>
      {settings.map(setting => {
        if (isGet && setting.unlessGet === true) return null
        const { name, wide } = setting
        const field = <SettingField key={name} control={control} setting={setting} stored={secrets[name] === true} />
        return wide === true ? <Wide key={name}>{field}</Wide> : field
      })}
    </FormSection>
  ))
}

interface SettingFieldProps<O> extends ChannelControl<O> {
  readonly setting: Setting
  /** A secret that the server holds. */
  readonly stored: boolean
}

const SettingField = <O,>({ control, setting, stored }: SettingFieldProps<O>) => {
  const { label, help, required, placeholder } = setting
  const bound = { control, name: `settings.${setting.name}` as const, label, help, required, placeholder }
  switch (setting.sort) {
    case 'text':
      return <TextField {...bound} type={setting.type} />
    case 'choice':
      return <ChoiceField {...bound} choices={setting.choices} />
    case 'paragraph':
      return <ParagraphField {...bound} />
    case 'number':
      return <NumberField {...bound} plain />
    case 'switch':
      return <SwitchField {...bound} />
    case 'tags':
      return <TagsField {...bound} />
    case 'secret':
      return <SecretField {...bound} present={stored} />
    case 'headers':
      return <HeadersField control={control} />
  }
}

const HEADER_PARTS = [
  { key: 'name', label: fields.header },
  { key: 'value', label: fields.value },
] as const

const HeadersField = <O,>({ control }: ChannelControl<O>) => (
  <TableField
    control={control}
    name="settings.headers"
    label={fields.headers}
    add={fields.addHeader}
    empty={{ name: '', value: '' }}
    columns={HEADER_PARTS.map(({ key, label }) => ({
      key,
      label,
      render: row => <TextField control={control} name={`settings.${inSettings(row)}.${key}`} label={label} />,
    }))}
  />
)
const inSettings = (path: string): string => path.replace(/^settings\./, '')
