import { PasswordInput } from '@mantine/core'
import {
  CREDENTIAL_ROUTES,
  type CredentialBody,
  type CredentialOwner,
  type Credentials,
  credentials as credentialsSchema,
  type LoginKind,
  SNMP_AUTH_PROTOCOLS,
  SNMP_PASSWORD_MIN,
  SNMP_PRIV_PROTOCOLS,
  SNMP_VERSIONS,
} from '@narval/contracts'
import { type FieldValues, useController, useWatch } from 'react-hook-form'
import { credential as words } from '../i18n/credential.ts'
import { call } from '../lib/api.ts'
import { LOGIN_FORMS, loginValues, ofForm, snmpForm, snmpValues } from '../lib/credential-values.ts'
import classes from './credentials-panel.module.css'
import { useEntityForm } from './entity-form.ts'
import { ChoiceField, FIELD_ORDER, type FieldProps, NumberField, TextField } from './form-fields.tsx'
import { FormShell, Wide } from './form-shell.tsx'

const { fields, fieldHelp } = words
const SNMP_LABELS = {
  version: fields.version,
  port: fields.port,
  community: fields.community,
  user: fields.user,
  contextName: fields.contextName,
  authProtocol: fields.authProtocol,
  authPassword: fields.authPassword,
  privProtocol: fields.privProtocol,
  privPassword: fields.privPassword,
}
const LOGIN_LABELS = { username: fields.username, password: fields.password }
/** A secret is told apart from none, and not shown. */
const veiled = (value: unknown): string => (value === '' ? words.unchanged : words.typed)
const VEILED = { community: veiled, authPassword: veiled, privPassword: veiled, password: veiled }
const choicesOf = (values: readonly string[], none: string) =>
  values.map(value => ({ value, label: value === 'none' ? none : value }))
const VERSIONS = choicesOf(SNMP_VERSIONS, '')
const AUTH = choicesOf(SNMP_AUTH_PROTOCOLS, words.noProtocol)
const PRIV = choicesOf(SNMP_PRIV_PROTOCOLS, words.noPrivacy)

interface CredentialFormProps {
  readonly owner: CredentialOwner
  readonly id: number
  readonly present: Credentials
  readonly onSaved: (now: Credentials) => void
  readonly onCancel: () => void
}

/** Sends a credential, based on the version that the form was filled from. */
const save = ({ owner, id }: CredentialFormProps, body: CredentialBody): Promise<Credentials> =>
  call(CREDENTIAL_ROUTES[owner].update, { params: { id }, body }).catch(error => {
    throw ofForm(error)
  })

/** SNMP: the fields of the version that is chosen. */
export const SnmpForm = (props: CredentialFormProps) => {
  const { own, effective } = props.present.snmp
  const handle = useEntityForm({
    schema: snmpForm,
    values: snmpValues(own ?? effective),
    basedOn: own?.updatedAt ?? null,
    labels: SNMP_LABELS,
    describe: VEILED,
    readNewer: current => {
      const newer = credentialsSchema.shape.snmp.shape.own.safeParse(current)
      return newer.success ? snmpValues(newer.data) : null
    },
    save: (settings, updatedAt) => save(props, { kind: 'snmp', settings, updatedAt }),
    onSaved: props.onSaved,
  })
  const { control } = handle.form
  const [version, auth, priv] = useWatch({
    control,
    name: ['version', 'authProtocol', 'privProtocol'],
  })
  const there = own?.secrets
  return (
    <FormShell handle={handle} labels={SNMP_LABELS} creating={false} onCancel={props.onCancel}>
      <div className={classes.fields}>
        <ChoiceField control={control} name="version" label={fields.version} choices={VERSIONS} />
        <NumberField control={control} name="port" label={fields.port} help={fieldHelp.port} plain />
        {version !== 'v3' && (
          <Wide>
            <SecretField
              control={control}
              name="community"
              label={fields.community}
              present={there?.community === true}
              required
            />
          </Wide>
        )}
        {version === 'v3' && (
          <>
            <TextField control={control} name="user" label={fields.user} required />
            <TextField control={control} name="contextName" label={fields.contextName} help={fieldHelp.contextName} />
            <ChoiceField control={control} name="authProtocol" label={fields.authProtocol} choices={AUTH} />
            <SecretField
              control={control}
              name="authPassword"
              label={fields.authPassword}
              help={fieldHelp.passwordMin(SNMP_PASSWORD_MIN)}
              present={there?.authPassword === true}
              disabled={auth === 'none'}
              required={auth !== 'none'}
            />
            <ChoiceField control={control} name="privProtocol" label={fields.privProtocol} choices={PRIV} />
            <SecretField
              control={control}
              name="privPassword"
              label={fields.privPassword}
              help={fieldHelp.passwordMin(SNMP_PASSWORD_MIN)}
              present={there?.privPassword === true}
              disabled={priv === 'none'}
              required={priv !== 'none'}
            />
          </>
        )}
      </div>
    </FormShell>
  )
}

/** A user and a password. */
export const LoginForm = ({ kind, ...props }: CredentialFormProps & { readonly kind: LoginKind }) => {
  const { own, effective } = props.present[kind]
  const handle = useEntityForm({
    schema: LOGIN_FORMS[kind],
    values: loginValues(own ?? effective),
    basedOn: own?.updatedAt ?? null,
    labels: LOGIN_LABELS,
    describe: VEILED,
    readNewer: current => {
      const newer = credentialsSchema.shape[kind].shape.own.safeParse(current)
      return newer.success ? loginValues(newer.data) : null
    },
    save: (settings, updatedAt) => save(props, { kind, settings, updatedAt }),
    onSaved: props.onSaved,
  })
  const { control } = handle.form
  return (
    <FormShell handle={handle} labels={LOGIN_LABELS} creating={false} onCancel={props.onCancel}>
      <p className={classes.note}>{fieldHelp[kind]}</p>
      <div className={classes.fields}>
        <TextField
          control={control}
          name="username"
          label={fields.username}
          help={kind === 'ldap' ? fieldHelp.ldapUser : undefined}
          required
          autoFocus
        />
        <SecretField
          control={control}
          name="password"
          label={fields.password}
          present={own?.secrets.password === true}
          required
        />
      </div>
    </FormShell>
  )
}

interface SecretProps {
  /** One is stored: it stays unless another is typed. */
  readonly present: boolean
}

/** A secret, which is written and never shown again. */
const SecretField = <V extends FieldValues, O>(props: FieldProps<V, O> & SecretProps) => {
  const { control, name, label, help, present, required, disabled } = props
  const { field, fieldState } = useController({ control, name })
  return (
    <PasswordInput
      {...field}
      label={label}
      disabled={disabled}
      value={typeof field.value === 'string' ? field.value : ''}
      placeholder={present ? words.unchanged : ''}
      description={present ? words.unchangedHelp : help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required === true && !present}
      error={fieldState.error?.message}
      autoComplete="new-password"
      maxLength={255}
      visibilityToggleButtonProps={{ 'aria-label': words.show }}
    />
  )
}
