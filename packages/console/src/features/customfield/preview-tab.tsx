import { SegmentedControl, Select } from '@mantine/core'
import type { customFieldRoutes } from '@narval/contracts'
import { FIELD_SCOPES, type FieldGroup, type FieldValue, type PrivilegeGroup, type ReplyOf } from '@narval/contracts'
import { IconEyeOff, IconShieldCheck, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { customField } from '../../i18n/custom-field.ts'
import { defaultOf } from '../../lib/custom-field.ts'
import { fieldGroupsQuery } from '../../lib/custom-field-queries.ts'
import { FormSection, Wide } from '../../ui/form-shell.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, EmptyState, ErrorState, LoadingState, NotLoaded } from '../../ui/page.tsx'
import { FieldInput } from '../../ui/record-fields-input.tsx'
import { useAddress } from '../../ui/use-address.ts'
import classes from './custom-field-page.module.css'
import { groupFieldsQuery, privilegesQuery, typesQuery } from './field-queries.ts'
import { fr } from './fr.ts'

type GroupField = ReplyOf<typeof customFieldRoutes.privilegeGroupFields>[number]
const { preview: words } = fr
const SCOPES = FIELD_SCOPES.map(scope => ({ value: scope, label: customField.scopes[scope] }))

/** What is looked at, held in the address so that it can be shown to a colleague. */
const usePreviewChoice = () => {
  const { params, put: change } = useAddress()
  const put = (name: string, value: string | null): void =>
    // A type of sites is none of equipment.
    change({ [name]: value, ...(name === 'scope' && { type: null }) }, { replace: false })
  const asked = params.get('scope')
  return {
    userGroupId: Number(params.get('userGroup') ?? '0'),
    scope: FIELD_SCOPES.find(scope => scope === asked) ?? 'host',
    typeId: Number(params.get('type') ?? '0'),
    put,
  } as const
}

/** A record's fields as a user group sees them. */
export const PreviewTab = () => {
  const { userGroupId, scope, typeId, put } = usePreviewChoice()
  const privileges = useQuery(privilegesQuery)
  const types = useQuery(typesQuery(scope))
  if (privileges.data === undefined)
    return <NotLoaded error={privileges.error} onRetry={privileges.refetch} height={300} />
  const { userGroups } = privileges.data
  const userGroup = userGroups.find(one => one.id === userGroupId)
  return (
    <>
      <p className={classes.intro}>{words.intro}</p>
      <div className={classes.toolbar}>
        <Select
          aria-label={words.userGroup}
          placeholder={words.choose}
          data={userGroups.map(one => ({ value: String(one.id), label: one.name }))}
          value={userGroup === undefined ? null : String(userGroup.id)}
          onChange={value => put('userGroup', value)}
          searchable
          allowDeselect={false}
        />
        <SegmentedControl
          aria-label={words.scope}
          data={SCOPES}
          value={scope}
          onChange={value => put('scope', value)}
        />
        <Select
          aria-label={words.type}
          placeholder={words.anyType}
          data={(types.data ?? []).map(type => ({ value: String(type.id), label: type.name }))}
          value={typeId === 0 ? null : String(typeId)}
          onChange={value => put('type', value)}
          clearable
          searchable
        />
      </div>
      {userGroup === undefined ? (
        <Card>
          <EmptyState title={words.noGroup} icon={<IconUsersGroup size={28} stroke={1.6} />}>
            {words.noGroupText}
          </EmptyState>
        </Card>
      ) : (
        <GroupPreview
          key={userGroup.id}
          userGroup={userGroup}
          concerns={({ definition }) =>
            definition.scope === scope &&
            (typeId === 0 || definition.types.length === 0 || definition.types.includes(typeId))
          }
        />
      )}
    </>
  )
}

interface GroupPreviewProps {
  readonly userGroup: PrivilegeGroup
  readonly concerns: (field: GroupField) => boolean
}

const GroupPreview = ({ userGroup, concerns }: GroupPreviewProps) => {
  const { data, error, refetch } = useQuery(groupFieldsQuery(userGroup.id))
  const groups = useQuery(fieldGroupsQuery)
  if (data === undefined || groups.data === undefined)
    return error === null ? <LoadingState height={300} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const fields = data.filter(concerns)
  const shown = fields.filter(field => field.level !== 'none')
  return (
    <div className={classes.preview}>
      {userGroup.admin && (
        <Notice tone="neutral" icon={<IconShieldCheck size={18} />}>
          {words.adminHelp}
        </Notice>
      )}
      {shown.length === 0 ? (
        <Card>
          <EmptyState title={words.nothing} icon={<IconEyeOff size={28} stroke={1.6} />}>
            {words.nothingText}
          </EmptyState>
        </Card>
      ) : (
        <PreviewForm groups={groups.data} fields={shown} />
      )}
      <p className={classes.hint}>{words.hidden(fields.length - shown.length)}</p>
    </div>
  )
}

interface PreviewFormProps {
  readonly groups: readonly FieldGroup[]
  readonly fields: readonly GroupField[]
}

const PreviewForm = ({ groups, fields }: PreviewFormProps) => {
  const [typed, setTyped] = useState<ReadonlyMap<number, FieldValue>>(new Map())
  return groups
    .map(group => ({ group, own: fields.filter(field => field.definition.groupId === group.id) }))
    .filter(({ own }) => own.length > 0)
    .map(({ group, own }) => (
      <FormSection key={group.id} title={group.name}>
        {own
          .toSorted((a, b) => a.definition.position - b.definition.position)
          .map(({ definition, level }) => {
            const note = [definition.help, level === 'write' ? '' : customField.readOnly].filter(Boolean).join(' · ')
            const input = (
              <FieldInput
                key={definition.id}
                shape={definition}
                value={typed.get(definition.id) ?? defaultOf(definition.type, definition.defaultValue)}
                onChange={value => setTyped(new Map([...typed, [definition.id, value]]))}
                disabled={level !== 'write'}
                note={note === '' ? undefined : note}
              />
            )
            return definition.type === 'long-text' ? <Wide key={definition.id}>{input}</Wide> : input
          })}
      </FormSection>
    ))
}
