import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconUsersGroup, IconUsersPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldGroupsQuery } from '../../lib/custom-field-queries.ts'
import { ActionBar } from '../../ui/action-bar.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, EmptyState, errorText, NotLoaded } from '../../ui/page.tsx'
import classes from './custom-field-page.module.css'
import { definitionsQuery, privilegesQuery, savePrivileges, useFieldRefresh } from './field-queries.ts'
import { fr } from './fr.ts'
import { PrivilegeGrid } from './privilege-grid.tsx'
import { type CellLevels, changedCells, savedLevels, withLevel } from './privilege-matrix.ts'
import { type UserGroupAction, UserGroupDialogs } from './user-group-dialogs.tsx'

interface PrivilegesTabProps {
  readonly changes: CellLevels
  readonly onChanges: (changes: CellLevels) => void
}

/** Who reads and writes which fields: a matrix whose changes are saved together, and the user groups that it is about. */
export const PrivilegesTab = ({ changes, onChanges }: PrivilegesTabProps) => {
  const groups = useQuery(fieldGroupsQuery)
  const definitions = useQuery(definitionsQuery)
  const privileges = useQuery(privilegesQuery)
  const [action, setAction] = useState<UserGroupAction | null>(null)
  const error = groups.error ?? definitions.error ?? privileges.error
  if (groups.data === undefined || definitions.data === undefined || privileges.data === undefined)
    return (
      <NotLoaded
        error={error}
        onRetry={() => Promise.all([groups.refetch(), definitions.refetch(), privileges.refetch()])}
        height={300}
      />
    )
  const saved = savedLevels(privileges.data.cells)
  const { userGroups } = privileges.data
  const add = (
    <Button variant="default" leftSection={<IconUsersPlus size={16} />} onClick={() => setAction({ kind: 'new' })}>
      {fr.userGroups.add}
    </Button>
  )
  return (
    <>
      <p className={classes.intro}>{fr.privileges.intro}</p>
      {userGroups.length === 0 ? (
        <Card>
          <EmptyState title={fr.privileges.noUserGroups} icon={<IconUsersGroup size={28} stroke={1.6} />} action={add}>
            {fr.privileges.noUserGroupsText}
          </EmptyState>
        </Card>
      ) : groups.data.length === 0 ? (
        <Card>
          <EmptyState title={fr.groups.emptyTitle}>{fr.privileges.noFields}</EmptyState>
        </Card>
      ) : (
        <PrivilegeGrid
          groups={groups.data}
          definitions={definitions.data}
          userGroups={userGroups}
          saved={saved}
          changes={changes}
          onLevel={(place, level) => onChanges(withLevel(saved, changes, place, level))}
          onAction={setAction}
          add={add}
        />
      )}
      {changes.size > 0 && <SaveBar changes={changes} onChanges={onChanges} />}
      {action !== null && <UserGroupDialogs action={action} onClose={() => setAction(null)} />}
    </>
  )
}

const NOTHING_CHANGED: CellLevels = new Map()

const SaveBar = ({ changes, onChanges }: PrivilegesTabProps) => {
  const client = useQueryClient()
  const refresh = useFieldRefresh()
  const save = useMutation({
    mutationFn: () => savePrivileges(changedCells(changes)),
    onSuccess: saved => {
      client.setQueryData(privilegesQuery.queryKey, saved)
      onChanges(NOTHING_CHANGED)
      refresh()
      notifications.show({ message: fr.privileges.saved, color: 'green' })
    },
  })
  return (
    <ActionBar>
      {save.error !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={fr.privileges.failed}>
          <p>{errorText(save.error)}</p>
        </Notice>
      )}
      <Button loading={save.isPending} onClick={() => save.mutate()}>
        {fr.privileges.save(changes.size)}
      </Button>
      <Button variant="default" disabled={save.isPending} onClick={() => onChanges(NOTHING_CHANGED)}>
        {fr.privileges.discard}
      </Button>
    </ActionBar>
  )
}
