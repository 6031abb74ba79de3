import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { FIELD_SCOPES, type FieldDefinition, type FieldGroup, type FieldScope, fold } from '@narval/contracts'
import { IconForms, IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { customField as words } from '../../i18n/custom-field.ts'
import { unitLabel } from '../../lib/custom-field.ts'
import { fieldGroupsQuery } from '../../lib/custom-field-queries.ts'
import { Card, EmptyState, errorText, NotLoaded } from '../../ui/page.tsx'
import classes from './custom-field-page.module.css'
import { definitionsQuery, useOrderDefinitions } from './field-queries.ts'
import { fr } from './fr.ts'
import { SortableList } from './sortable-list.tsx'

const ANY = 'any'
type ScopeFilter = FieldScope | typeof ANY
const SCOPE_CHOICES: { value: ScopeFilter; label: string }[] = [
  { value: ANY, label: fr.definitions.both },
  ...FIELD_SCOPES.map(scope => ({ value: scope, label: words.scopes[scope] })),
]

const matches = (definition: FieldDefinition, term: string, scope: ScopeFilter): boolean =>
  (scope === ANY || definition.scope === scope) &&
  fold(`${definition.label} ${definition.key} ${definition.help} ${words.types[definition.type]}`).includes(fold(term))

/** The fields by group, in their order; dragged, or moved by the keyboard, when all of them are shown. */
export const DefinitionsTab = () => {
  const groups = useQuery(fieldGroupsQuery)
  const definitions = useQuery(definitionsQuery)
  const [term, setTerm] = useState('')
  const [scope, setScope] = useState<ScopeFilter>(ANY)
  const error = groups.error ?? definitions.error
  if (groups.data === undefined || definitions.data === undefined)
    return (
      <NotLoaded error={error} onRetry={() => Promise.all([groups.refetch(), definitions.refetch()])} height={300} />
    )
  if (definitions.data.length === 0) return <NoDefinitions hasGroups={groups.data.length > 0} />
  const shown = definitions.data.filter(definition => matches(definition, term, scope))
  const whole = shown.length === definitions.data.length
  const clear = (): void => {
    setTerm('')
    setScope(ANY)
  }
  return (
    <>
      <div className={classes.toolbar}>
        <TextInput
          className={classes.search}
          type="search"
          aria-label={fr.definitions.search}
          placeholder={fr.definitions.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={term}
          onChange={event => setTerm(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label={fr.definitions.scope}
          data={SCOPE_CHOICES}
          value={scope}
          onChange={value => setScope(SCOPE_CHOICES.find(choice => choice.value === value)?.value ?? ANY)}
        />
        {!whole && shown.length > 0 && <span className={classes.hint}>{fr.definitions.filteredOrder}</span>}
        <span className={classes.spacer} />
        <output className={classes.hint}>{fr.definitions.count(shown.length)}</output>
      </div>
      {shown.length === 0 ? (
        <EmptyState
          title={fr.definitions.noMatch}
          action={
            <Button variant="default" onClick={clear}>
              {fr.definitions.clear}
            </Button>
          }
        >
          {fr.definitions.noMatchText}
        </EmptyState>
      ) : (
        <div className={classes.groups}>
          {groups.data.map(group => (
            <GroupCard
              key={group.id}
              group={group}
              definitions={shown.filter(definition => definition.groupId === group.id)}
              whole={whole}
            />
          ))}
        </div>
      )}
    </>
  )
}

const NoDefinitions = ({ hasGroups }: { readonly hasGroups: boolean }) => (
  <Card>
    <EmptyState
      title={fr.definitions.emptyTitle}
      icon={<IconForms size={28} stroke={1.6} />}
      action={
        <Button
          component={Link}
          to={hasGroups ? '/customfield/edit/new' : '/customfield/edit?tab=groups'}
          leftSection={<IconPlus size={16} />}
        >
          {hasGroups ? fr.definitions.add : fr.definitions.addGroup}
        </Button>
      }
    >
      {fr.definitions.emptyText} {!hasGroups && fr.definitions.emptyGroups}
    </EmptyState>
  </Card>
)

interface GroupCardProps {
  readonly group: FieldGroup
  readonly definitions: readonly FieldDefinition[]
  readonly whole: boolean
}

const GroupCard = ({ group, definitions, whole }: GroupCardProps) => {
  const order = useOrderDefinitions()
  if (definitions.length === 0 && !whole) return null
  const save = (ids: readonly number[]): void =>
    order.mutate(
      { groupId: group.id, ids },
      {
        onError: error => notifications.show({ title: fr.order.failed, message: errorText(error), color: 'red' }),
      },
    )
  return (
    <Card
      flush
      title={
        <span className={classes.groupName}>
          {group.name} <small>{fr.definitions.count(definitions.length)}</small>
        </span>
      }
    >
      {definitions.length === 0 ? (
        <p className={classes.none}>{fr.definitions.emptyGroup}</p>
      ) : (
        <SortableList
          label={group.name}
          items={definitions}
          nameOf={definition => definition.label}
          render={definition => <DefinitionRow definition={definition} />}
          onOrder={whole ? save : undefined}
        />
      )}
    </Card>
  )
}

const DefinitionRow = ({ definition }: { readonly definition: FieldDefinition }) => {
  const { label, key, type, unit, choices, scope, types, required, values } = definition
  const detail = [
    unit === '' ? '' : unitLabel(unit),
    choices.length === 0 ? '' : fr.definitions.choices(choices.length),
  ]
  return (
    <Link className={classes.definition} to={`/customfield/edit/${definition.id}`}>
      <span className={classes.label}>
        {label}
        {required && <span className={classes.tag}>{fr.definitions.required}</span>}
        <span className={classes.key}>{key}</span>
      </span>
      <span>
        {words.types[type]} <span className={classes.minor}>{detail.filter(Boolean).join(' · ')}</span>
      </span>
      <span>
        {words.scopes[scope]}{' '}
        {types.length > 0 && <span className={classes.minor}>{fr.definitions.types(types.length)}</span>}
      </span>
      <span className={classes.minor}>{fr.definitions.values(values)}</span>
    </Link>
  )
}
