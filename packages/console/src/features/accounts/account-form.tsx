import {
  type Account,
  AVATARS,
  account,
  accountCreateBody,
  accountRoutes,
  CLAIMS,
  type Claim,
  claimEntry,
  OWN_PICTURE,
} from '@narval/contracts'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Control, useController, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { AvatarChoice } from '../../ui/avatar-choice.tsx'
import { useEntityForm } from '../../ui/entity-form.ts'
import { SwitchField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { Notice } from '../../ui/notice.tsx'
import { groupsQuery } from './account-queries.ts'
import classes from './accounts.module.css'
import { ClaimMatrix } from './claim-matrix.tsx'
import { isLimited } from './claim-sources.ts'
import { fr } from './fr.ts'
import { GroupChoice, givingGroups } from './group-choice.tsx'

/** What is sent to create, with whether the account is enabled; its rights as a list. */
const formSchema = z.object({
  login: accountCreateBody.shape.login,
  firstName: z.string().check(z.maxLength(64)),
  lastName: z.string().check(z.maxLength(64)),
  email: z.union([z.literal(''), z.email('Une adresse e-mail est attendue').check(z.maxLength(254))]),
  phone: accountCreateBody.shape.phone,
  /** The account's own picture stays as long as no other is chosen. */
  avatar: z.string(),
  enabled: z.boolean(),
  groups: z.array(z.int()),
  claims: z.array(claimEntry.shape.claim),
})
type Values = z.input<typeof formSchema>
type Output = z.output<typeof formSchema>
export type Created = Account & { readonly temporaryPassword?: string | undefined }

export const NEW_ACCOUNT: Values = {
  ...{ login: '', firstName: '', lastName: '', email: '', phone: '', avatar: 'narval' },
  ...{ enabled: true, groups: [], claims: [] },
}
export const valuesOf = (record: Account): Values => ({
  ...{ login: record.login, firstName: record.firstName, lastName: record.lastName },
  ...{ email: record.email, phone: record.phone, enabled: record.enabled },
  avatar: record.avatar,
  groups: record.groups.map(group => group.id),
  claims: CLAIMS.filter(claim => record.ownClaims.some(one => one.claim === claim)),
})
const readNewer = (current: unknown): Values | null => {
  const parsed = account.safeParse(current)
  return parsed.success ? valuesOf(parsed.data) : null
}

const sameClaims = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every(claim => b.includes(claim))
const entriesOf = (claims: readonly Claim[]) => claims.map(claim => ({ claim }))

/** Creates; or writes the version of `basedOn`, and its own rights where they differ. */
const save = async (record: Account | null, output: Output, basedOn: string | null): Promise<Created> => {
  const { claims, enabled, avatar, ...profile } = output
  const chosen = AVATARS.find(one => one === avatar)
  const identity = chosen === undefined ? profile : { ...profile, avatar: chosen }
  if (record === null || basedOn === null)
    return call(accountRoutes.create, { body: { ...identity, claims: entriesOf(claims) } })
  const params = { id: record.idUser }
  const saved = await call(accountRoutes.update, { params, body: { ...identity, enabled, updatedAt: basedOn } })
  const held = saved.ownClaims.map(({ claim }) => claim)
  return sameClaims(held, claims)
    ? saved
    : call(accountRoutes.setClaims, { params, body: { claims: entriesOf(claims) } })
}

interface AccountFormProps {
  /** Null: a new one. */
  readonly record: Account | null
  readonly readOnly: boolean
  readonly onSaved: (account: Created) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
}

/** The fields of an account, its groups, and all of its rights with where they come from. */
export const AccountForm = ({ record, readOnly, onSaved, onCancel, onDelete }: AccountFormProps) => {
  const { user } = useSession()
  const handle = useEntityForm<Values, Output, Created>({
    schema: formSchema,
    values: record === null ? NEW_ACCOUNT : valuesOf(record),
    basedOn: record?.updatedAt ?? null,
    labels: fr.fields,
    readNewer,
    describe: { groups: value => <GroupNames ids={value} known={record?.groups ?? []} /> },
    save: (output, basedOn) => save(record, output, basedOn),
    onSaved,
  })
  const { control } = handle.form
  const isOwn = record !== null && record.idUser === user?.idUser
  return (
    <FormShell
      handle={handle}
      labels={fr.fields}
      creating={record === null}
      readOnly={readOnly}
      onCancel={onCancel}
      {...(onDelete !== undefined && !isOwn && { onDelete })}
    >
      <FormSection title={fr.sections.identity} help={fr.sections.identityHelp}>
        <TextField
          control={control}
          name="login"
          label={fr.fields.login}
          help={fr.help.login}
          required
          autoFocus
          maxLength={64}
        />
        <TextField control={control} name="email" label={fr.fields.email} type="email" maxLength={254} />
        <TextField control={control} name="firstName" label={fr.fields.firstName} maxLength={64} />
        <TextField control={control} name="lastName" label={fr.fields.lastName} maxLength={64} />
        <TextField
          control={control}
          name="phone"
          label={fr.fields.phone}
          help={fr.help.phone}
          type="tel"
          maxLength={16}
        />
        <Wide>
          <AvatarField control={control} record={record} />
        </Wide>
      </FormSection>
      <FormSection title={fr.sections.access} help={record === null ? fr.help.password : undefined}>
        {record !== null && (
          <SwitchField
            control={control}
            name="enabled"
            label={fr.fields.enabled}
            help={fr.help.enabled}
            disabled={isOwn}
          />
        )}
        <Wide>
          <strong>{fr.sections.groups}</strong>
          <p className={classes.note}>{fr.sections.groupsHelp}</p>
        </Wide>
        <Wide>
          <RightsFields control={control} record={record} readOnly={readOnly} part="groups" />
        </Wide>
      </FormSection>
      <FormSection title={fr.sections.claims} help={fr.sections.claimsHelp}>
        <Wide>
          <RightsFields control={control} record={record} readOnly={readOnly} part="claims" />
        </Wide>
      </FormSection>
    </FormShell>
  )
}

type AccountControl = Control<Values, unknown, Output>

const useGroups = (record: Account | null) => {
  const mayList = useSession().can('user_group_read')
  const { data } = useQuery({ ...groupsQuery, enabled: mayList })
  const known = record?.groups
  return useMemo(
    () => ({
      hidden: !mayList,
      groups: givingGroups(data ?? known ?? []),
      descriptions: new Map(data?.map(group => [group.id, group.description])),
    }),
    [mayList, data, known],
  )
}

interface RightsFieldsProps {
  readonly control: AccountControl
  readonly record: Account | null
  readonly readOnly: boolean
  readonly part: 'groups' | 'claims'
}

const RightsFields = ({ control, record, readOnly, part }: RightsFieldsProps) => {
  const { groups, descriptions, hidden } = useGroups(record)
  const chosen = useController({ control, name: 'groups' }).field
  const own = useController({ control, name: 'claims' }).field
  if (part === 'groups')
    return (
      <GroupChoice {...{ groups, descriptions, readOnly, hidden }} values={chosen.value} onChange={chosen.onChange} />
    )
  const joined = groups.filter(group => chosen.value.includes(group.id))
  return (
    <>
      {isLimited(own.value, joined) && (
        <Notice tone="neutral" icon={<IconInfoCircle size={18} />}>
          {fr.matrix.limitedNotice}
        </Notice>
      )}
      <ClaimMatrix own={own.value} groups={joined} onChange={own.onChange} readOnly={readOnly} />
    </>
  )
}

const GroupNames = ({ ids, known }: { readonly ids: unknown; readonly known: Account['groups'] }) => {
  const { data = [] } = useQuery({ ...groupsQuery, enabled: useSession().can('user_group_read') })
  const wanted = Array.isArray(ids) ? ids : []
  return wanted.map(id => [...data, ...known].find(group => group.id === id)?.name ?? `n°\u202f${id}`).join(', ')
}

const AvatarField = ({ control, record }: { readonly control: AccountControl; readonly record: Account | null }) => {
  const { field } = useController({ control, name: 'avatar' })
  const value = useWatch({ control, name: 'avatar' })
  const own = record !== null && OWN_PICTURE.test(record.avatar) ? record.avatar : null
  return <AvatarChoice value={value} own={own} onChange={field.onChange} />
}
