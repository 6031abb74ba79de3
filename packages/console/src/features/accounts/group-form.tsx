import { Checkbox } from '@mantine/core'
import {
  CLAIM_TEXTS,
  CLAIMS,
  GROUP_MEMBERS_MAX,
  GROUP_SITES_MAX,
  grants,
  isSiteClaim,
  type UserGroupDetail,
  type UserGroupInput,
  userGroupBody,
  userGroupDetail,
  userGroupRoutes,
} from '@narval/contracts'
import { IconLock } from '@tabler/icons-react'
import { type Control, useController, useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { SwitchField, TagsField, TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RemoteMultiSelectField } from '../../ui/remote-multi-select.tsx'
import { accountOptions } from './account-queries.ts'
import classes from './accounts.module.css'
import { lackedLabels } from './claim-sources.ts'
import { fr } from './fr.ts'

type Values = z.input<typeof userGroupBody>
type GroupControl = Control<Values, unknown, UserGroupInput>

const EMPTY: UserGroupInput = {
  ...{ name: '', description: '', claims: [], members: [] },
  ...{ limited: false, siteIds: [], tags: [] },
}
const valuesOf = ({
  name,
  description,
  claims,
  memberList,
  limited,
  sites,
  tags,
}: UserGroupDetail): UserGroupInput => ({
  ...{ name, description, limited, tags },
  claims: CLAIMS.filter(claim => claims.some(one => one.claim === claim)).map(claim => ({ claim })),
  members: memberList.map(({ idUser }) => idUser),
  siteIds: sites.map(({ id }) => id),
})
const readNewer = (current: unknown): Values | null => {
  const parsed = userGroupDetail.safeParse(current)
  return parsed.success ? valuesOf(parsed.data) : null
}

interface GroupFormProps {
  /** Null: a new one. */
  readonly record: UserGroupDetail | null
  readonly readOnly: boolean
  readonly onSaved: (group: UserGroupDetail) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
}

/** The fields of a group: what it gives, where, and to whom. */
export const GroupForm = ({ record, readOnly, onSaved, onCancel, onDelete }: GroupFormProps) => {
  const { can, everywhere } = useSession()
  const handle = useEntityForm<Values, UserGroupInput, UserGroupDetail>({
    schema: userGroupBody,
    values: record === null ? EMPTY : valuesOf(record),
    basedOn: record?.updatedAt ?? null,
    labels: fr.groupFields,
    readNewer,
    describe: {
      claims: value => claimNames(value),
      members: value => fr.memberCount(Array.isArray(value) ? value.length : 0),
      siteIds: value => namesOf(value, record?.sites ?? []),
    },
    save: (body, updatedAt) =>
      record === null || updatedAt === null
        ? call(userGroupRoutes.create, { body })
        : call(userGroupRoutes.update, { params: { id: record.id }, body: { ...body, updatedAt } }),
    onSaved,
  })
  const { control } = handle.form
  const lacked = lackedLabels(everywhere, record?.claims.map(({ claim }) => claim) ?? [])
  const locked = lacked !== ''
  return (
    <FormShell
      handle={handle}
      labels={fr.groupFields}
      creating={record === null}
      readOnly={readOnly}
      onCancel={onCancel}
      {...(onDelete !== undefined && !locked && { onDelete })}
    >
      {locked && !readOnly && (
        <Notice tone="neutral" icon={<IconLock size={18} />}>
          {fr.lackedGroup(lacked)}
        </Notice>
      )}
      <FormSection title={fr.groupSections.name}>
        <TextField control={control} name="name" label={fr.groupFields.name} required autoFocus maxLength={64} />
        <TextField control={control} name="description" label={fr.groupFields.description} maxLength={500} />
      </FormSection>
      <FormSection title={fr.groupSections.claims} help={fr.groupSections.claimsHelp}>
        <Wide>
          <ClaimsField control={control} readOnly={readOnly} />
        </Wide>
      </FormSection>
      <ScopeFields control={control} record={record} locked={locked} />
      <FormSection title={fr.groupSections.members}>
        <Wide>
          <RemoteMultiSelectField
            control={control}
            name="members"
            label={fr.groupFields.members}
            help={can('user_read') ? fr.groupHelp.members : fr.groupHelp.membersHidden}
            source={accountOptions}
            known={(record?.memberList ?? []).map(({ idUser, login, name }) => ({
              id: idUser,
              name: name === '' ? login : `${name} (${login})`,
            }))}
            max={GROUP_MEMBERS_MAX}
            disabled={locked || !can('user_read')}
          />
        </Wide>
      </FormSection>
    </FormShell>
  )
}

const claimNames = (value: unknown): string =>
  (Array.isArray(value) ? value : [])
    .map((one: { claim?: string }) => CLAIMS.find(claim => claim === one.claim))
    .flatMap(claim => (claim === undefined ? [] : CLAIM_TEXTS[claim].label))
    .join(', ')
const namesOf = (value: unknown, known: readonly { readonly id: number; readonly name: string }[]): string =>
  (Array.isArray(value) ? value : []).map(id => known.find(one => one.id === id)?.name ?? `n°\u202f${id}`).join(', ')

const ClaimsField = ({ control, readOnly }: { readonly control: GroupControl; readonly readOnly: boolean }) => {
  const { everywhere } = useSession()
  const { field, fieldState } = useController({ control, name: 'claims' })
  const limited = useWatch({ control, name: 'limited' }) === true
  const given = new Set((field.value ?? []).map(({ claim }) => claim))
  return (
    <>
      <ul className={classes.choices}>
        {CLAIMS.map(claim => {
          const { label, description } = CLAIM_TEXTS[claim]
          const isHeld = given.has(claim)
          const lacked = !grants(everywhere, claim)
          const isWide = limited && !isSiteClaim(claim)
          const why = readOnly ? '' : lacked ? fr.lackedClaim : isWide ? fr.platformClaim : ''
          return (
            <li key={claim}>
              <Checkbox
                label={label}
                description={`${description} ${why}`.trim()}
                checked={isHeld}
                // What a limit makes wrong can still be taken away.
                disabled={readOnly || lacked || (isWide && !isHeld)}
                onChange={event =>
                  field.onChange(
                    CLAIMS.filter(one => (one === claim ? event.currentTarget.checked : given.has(one))).map(one => ({
                      claim: one,
                    })),
                  )
                }
              />
            </li>
          )
        })}
      </ul>
      {fieldState.error?.message !== undefined && (
        <p className={classes.refused} role="alert">
          {fieldState.error.message}
        </p>
      )}
    </>
  )
}

interface ScopeFieldsProps {
  readonly control: GroupControl
  readonly record: UserGroupDetail | null
  readonly locked: boolean
}

const ScopeFields = ({ control, record, locked }: ScopeFieldsProps) => {
  const limited = useWatch({ control, name: 'limited' }) === true
  return (
    <FormSection title={fr.groupSections.scope} help={fr.groupSections.scopeHelp}>
      <Wide>
        <SwitchField
          control={control}
          name="limited"
          label={fr.groupFields.limited}
          help={fr.groupHelp.limited}
          disabled={locked}
        />
      </Wide>
      {limited && (
        <>
          <Wide>
            <RemoteMultiSelectField
              control={control}
              name="siteIds"
              label={fr.groupFields.siteIds}
              help={fr.groupHelp.siteIds}
              source={siteOptions}
              known={record?.sites ?? []}
              max={GROUP_SITES_MAX}
              disabled={locked}
            />
          </Wide>
          <Wide>
            <TagsField
              control={control}
              name="tags"
              label={fr.groupFields.tags}
              help={fr.groupHelp.tags}
              disabled={locked}
            />
          </Wide>
        </>
      )}
    </FormSection>
  )
}
