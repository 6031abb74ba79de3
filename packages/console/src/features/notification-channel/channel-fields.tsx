import { type ChannelKind, MAIL_SECURITIES, SMS_FORMATS, SMS_METHODS, WEBHOOK_METHODS } from '@narval/contracts'
import { type Control, useWatch } from 'react-hook-form'
import { ChoiceField, NumberField, ParagraphField, SwitchField, TagsField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, Wide } from '../../ui/form-shell.tsx'
import { TableField } from '../../ui/table-field.tsx'
import type { ChannelValues } from './channel-values.ts'
import { fr } from './fr.ts'
import { SecretField } from './secret-field.tsx'
import { TemplateHelp } from './template-help.tsx'

const { fields, help, sections } = fr

export interface KindFieldsProps<O> {
  readonly control: Control<ChannelValues, unknown, O>
  /** Which secrets are stored. */
  readonly secrets: Readonly<Record<string, boolean>>
}

/** The settings of a kind. */
export const KindFields = <O,>({ kind, ...props }: KindFieldsProps<O> & { readonly kind: ChannelKind }) => {
  switch (kind) {
    case 'email':
      return <EmailFields {...props} />
    case 'webhook':
      return <WebhookFields {...props} />
    case 'slack':
    case 'mattermost':
    case 'teams':
      return <ChatFields {...props} isMattermost={kind === 'mattermost'} />
    case 'ntfy':
      return <NtfyFields {...props} />
    case 'sms':
      return <SmsFields {...props} />
  }
}

const choices = (values: readonly string[], labels?: Readonly<Record<string, string>>) =>
  values.map(value => ({ value, label: labels?.[value] ?? value }))

const EmailFields = <O,>({ control, secrets }: KindFieldsProps<O>) => (
  <>
    <FormSection title={sections.server} help={sections.securityHelp}>
      <TextField control={control} name="settings.host" label={fields.host} placeholder="smtp.exemple.fr" required />
      <NumberField control={control} name="settings.port" label={fields.port} plain />
      <ChoiceField
        control={control}
        name="settings.security"
        label={fields.security}
        choices={choices(MAIL_SECURITIES, fr.securities)}
      />
      <TextField control={control} name="settings.user" label={fields.user} help={help.user} />
      <SecretField
        control={control}
        name="settings.password"
        label={fields.password}
        present={secrets.password === true}
      />
      <Wide>
        <SwitchField
          control={control}
          name="settings.checkCertificate"
          label={fields.checkCertificate}
          help={help.checkCertificate}
        />
      </Wide>
    </FormSection>
    <FormSection title={sections.sender}>
      <TextField control={control} name="settings.from" label={fields.from} type="email" required />
      <TextField control={control} name="settings.fromName" label={fields.fromName} />
      <TextField control={control} name="settings.replyTo" label={fields.replyTo} help={help.replyTo} type="email" />
    </FormSection>
    <FormSection title={sections.target} help={sections.targetHelp}>
      <Wide>
        <TagsField control={control} name="settings.to" label={fields.toMail} help={help.to} />
      </Wide>
    </FormSection>
  </>
)

const Headers = <O,>({ control }: Pick<KindFieldsProps<O>, 'control'>) => (
  <Wide>
    <TableField
      control={control}
      name="settings.headers"
      label={fields.headers}
      add={fields.addHeader}
      empty={{ name: '', value: '' }}
      columns={[
        {
          key: 'name',
          label: fields.header,
          render: row => (
            <TextField control={control} name={`settings.${inSettings(row)}.name`} label={fields.header} />
          ),
        },
        {
          key: 'value',
          label: fields.value,
          render: row => (
            <TextField control={control} name={`settings.${inSettings(row)}.value`} label={fields.value} />
          ),
        },
      ]}
    />
  </Wide>
)
const inSettings = (path: string): string => path.replace(/^settings\./, '')

const WebhookFields = <O,>({ control, secrets }: KindFieldsProps<O>) => (
  <>
    <FormSection title={sections.call}>
      <Wide>
        <TextField control={control} name="settings.url" label={fields.url} type="url" required />
      </Wide>
      <ChoiceField control={control} name="settings.method" label={fields.method} choices={choices(WEBHOOK_METHODS)} />
      <Headers control={control} />
    </FormSection>
    <FormSection title={sections.body} help={<TemplateHelp control={control} />}>
      <Wide>
        <ParagraphField control={control} name="settings.body" label={fields.body} required />
      </Wide>
    </FormSection>
    <FormSection title={sections.security} help={sections.securityHelp}>
      <SecretField
        control={control}
        name="settings.authorization"
        label={fields.authorization}
        help={help.authorization}
        present={secrets.authorization === true}
      />
      <SecretField
        control={control}
        name="settings.signingKey"
        label={fields.signingKey}
        help={help.signingKey}
        present={secrets.signingKey === true}
      />
    </FormSection>
  </>
)

const ChatFields = <O,>({
  control,
  secrets,
  isMattermost,
}: KindFieldsProps<O> & { readonly isMattermost: boolean }) => (
  <FormSection title={sections.call} help={sections.securityHelp}>
    <Wide>
      <SecretField
        control={control}
        name="settings.url"
        label={fields.webhookUrl}
        help={help.chatUrl}
        present={secrets.url === true}
        required
      />
    </Wide>
    {isMattermost && (
      <>
        <TextField control={control} name="settings.channel" label={fields.channel} help={help.channel} />
        <TextField control={control} name="settings.username" label={fields.username} />
      </>
    )}
  </FormSection>
)

const PRIORITIES = ['error', 'warning', 'unknown', 'ok'] as const
const NtfyFields = <O,>({ control, secrets }: KindFieldsProps<O>) => (
  <>
    <FormSection title={sections.call} help={sections.securityHelp}>
      <TextField control={control} name="settings.server" label={fields.server} type="url" required />
      <TextField control={control} name="settings.topic" label={fields.topic} help={help.topic} required />
      <SecretField control={control} name="settings.token" label={fields.token} present={secrets.token === true} />
      <TagsField control={control} name="settings.tags" label={fields.tags} />
    </FormSection>
    <FormSection title={sections.priorities} help={help.priorities}>
      {PRIORITIES.map(severity => (
        <NumberField
          key={severity}
          control={control}
          name={`settings.priorities.${severity}`}
          label={fields.priority[severity]}
          plain
        />
      ))}
    </FormSection>
  </>
)

const SmsFields = <O,>({ control, secrets }: KindFieldsProps<O>) => {
  const method = useWatch({ control, name: 'settings.method' })
  return (
    <>
      <FormSection title={sections.call}>
        <Wide>
          <TextField control={control} name="settings.url" label={fields.url} help={help.smsUrl} type="url" required />
        </Wide>
        <ChoiceField control={control} name="settings.method" label={fields.method} choices={choices(SMS_METHODS)} />
        <NumberField control={control} name="settings.parts" label={fields.parts} help={help.parts} plain />
        {method !== 'GET' && (
          <>
            <ChoiceField
              control={control}
              name="settings.format"
              label={fields.format}
              choices={choices(SMS_FORMATS, fr.formats)}
            />
            <Wide>
              <ParagraphField control={control} name="settings.body" label={fields.smsBody} help={help.smsBody} />
            </Wide>
          </>
        )}
        <Headers control={control} />
      </FormSection>
      <FormSection title={sections.security} help={sections.securityHelp}>
        <SecretField
          control={control}
          name="settings.authorization"
          label={fields.authorization}
          help={help.authorization}
          present={secrets.authorization === true}
        />
        <SecretField
          control={control}
          name="settings.secret"
          label={fields.secret}
          help={help.smsSecret}
          present={secrets.secret === true}
        />
      </FormSection>
      <FormSection title={sections.target} help={sections.targetHelp}>
        <Wide>
          <TagsField
            control={control}
            name="settings.to"
            label={fields.toPhone}
            help={help.to}
            placeholder="+33612345678"
          />
        </Wide>
      </FormSection>
    </>
  )
}
