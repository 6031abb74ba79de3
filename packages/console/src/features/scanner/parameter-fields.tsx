import { Text } from '@mantine/core'
import type { CheckKind } from '@narval/contracts'
import type { Control } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ChoiceField, NumberField, SwitchField, TextField } from '../../ui/form-fields.tsx'
import { Wide } from '../../ui/form-shell.tsx'
import { fr } from './fr.ts'
import type { scannerForm } from './scanner-kinds.ts'

export type ScannerControl = Control<z.input<typeof scannerForm>, unknown, z.output<typeof scannerForm>>
interface Props {
  readonly control: ScannerControl
}
const words = fr.parameters
const METHODS = ['GET', 'HEAD', 'POST'].map(method => ({ value: method, label: method }))

const PingFields = ({ control }: Props) => (
  <>
    <NumberField control={control} name="parameters.count" label={words.count} help={words.countHelp} />
    <NumberField control={control} name="parameters.size" label={words.size} help={words.sizeHelp} unit={fr.bytes} />
  </>
)
const TcpFields = ({ control }: Props) => (
  <>
    <NumberField control={control} name="parameters.port" label={words.port} help={words.portHelp} required plain />
    <TextField control={control} name="parameters.banner" label={words.banner} help={words.bannerHelp} />
  </>
)
const HttpFields = ({ control }: Props) => (
  <>
    <Wide>
      <TextField control={control} name="parameters.url" label={words.url} help={words.urlHelp} required />
    </Wide>
    <ChoiceField control={control} name="parameters.method" label={words.method} choices={METHODS} />
    <TextField control={control} name="parameters.status" label={words.status} help={words.statusHelp} required />
    <Wide>
      <TextField control={control} name="parameters.contains" label={words.contains} help={words.containsHelp} />
    </Wide>
    <SwitchField control={control} name="parameters.followRedirects" label={words.followRedirects} />
    <SwitchField control={control} name="parameters.verifyTls" label={words.verifyTls} help={words.verifyTlsHelp} />
  </>
)
const SystemFields = () => (
  <Wide>
    <Text size="sm" c="dimmed">
      {words.none}
    </Text>
  </Wide>
)

const FIELDS = { ping: PingFields, tcp: TcpFields, http: HttpFields, system: SystemFields } as const satisfies Record<
  CheckKind,
  unknown
>

/** The parameters of a kind of check. */
export const ParameterFields = ({ kind, control }: Props & { readonly kind: CheckKind }) => {
  const Fields = FIELDS[kind]
  return <Fields control={control} />
}
