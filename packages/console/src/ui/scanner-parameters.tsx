import { Text } from '@mantine/core'
import { type CheckKind, HTTP_AUTHENTICATIONS } from '@narval/contracts'
import type { ComponentType } from 'react'
import type { Control, FieldValues } from 'react-hook-form'
import { scanner as fr } from '../i18n/scanner.ts'
import { fieldAt } from './field-path.ts'
import { ChoiceField, NumberField, SwitchField, TextField } from './form-fields.tsx'
import { Wide } from './form-shell.tsx'

interface Props<V extends FieldValues, O> {
  readonly control: Control<V, unknown, O>
  /** Path of the parameters in the form: `parameters`, `definition.scanners.2.parameters`. */
  readonly at: string
  readonly disabled?: boolean
}
const words = fr.parameters
const AUTHENTICATIONS = HTTP_AUTHENTICATIONS.map(value => ({ value, label: words.authentications[value] }))
const METHODS = ['GET', 'HEAD', 'POST'].map(method => ({ value: method, label: method }))

const PingFields = <V extends FieldValues, O>({ control, at, disabled }: Props<V, O>) => (
  <>
    <NumberField
      control={control}
      name={fieldAt<V>(at, 'count')}
      label={words.count}
      help={words.countHelp}
      disabled={disabled}
    />
    <NumberField
      control={control}
      name={fieldAt<V>(at, 'size')}
      label={words.size}
      help={words.sizeHelp}
      unit={fr.bytes}
      disabled={disabled}
    />
  </>
)
const TcpFields = <V extends FieldValues, O>({ control, at, disabled }: Props<V, O>) => (
  <>
    <NumberField
      control={control}
      name={fieldAt<V>(at, 'port')}
      label={words.port}
      help={words.portHelp}
      required
      plain
      disabled={disabled}
    />
    <TextField
      control={control}
      name={fieldAt<V>(at, 'banner')}
      label={words.banner}
      help={words.bannerHelp}
      disabled={disabled}
    />
  </>
)
const HttpFields = <V extends FieldValues, O>({ control, at, disabled }: Props<V, O>) => {
  const shared = { control, disabled }
  return (
    <>
      <Wide>
        <TextField {...shared} name={fieldAt<V>(at, 'url')} label={words.url} help={words.urlHelp} required />
      </Wide>
      <ChoiceField {...shared} name={fieldAt<V>(at, 'method')} label={words.method} choices={METHODS} />
      <TextField {...shared} name={fieldAt<V>(at, 'status')} label={words.status} help={words.statusHelp} required />
      <Wide>
        <TextField {...shared} name={fieldAt<V>(at, 'contains')} label={words.contains} help={words.containsHelp} />
      </Wide>
      <Wide>
        <ChoiceField
          {...shared}
          name={fieldAt<V>(at, 'authentication')}
          label={words.authentication}
          help={words.authenticationHelp}
          choices={AUTHENTICATIONS}
        />
      </Wide>
      <SwitchField {...shared} name={fieldAt<V>(at, 'followRedirects')} label={words.followRedirects} />
      <SwitchField {...shared} name={fieldAt<V>(at, 'verifyTls')} label={words.verifyTls} help={words.verifyTlsHelp} />
    </>
  )
}
const SystemFields = () => (
  <Wide>
    <Text size="sm" c="dimmed">
      {words.none}
    </Text>
  </Wide>
)

/** The parameters of a kind of check, as fields of any form that holds them. */
export const ParameterFields = <V extends FieldValues, O>({
  kind,
  ...rest
}: Props<V, O> & { readonly kind: CheckKind }) => {
  const fields: Record<CheckKind, ComponentType<Props<V, O>>> = {
    ping: PingFields,
    tcp: TcpFields,
    http: HttpFields,
    system: SystemFields,
  }
  const Fields = fields[kind]
  return <Fields {...rest} />
}
