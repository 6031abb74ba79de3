import { ActionIcon, Badge, Button, Table } from '@mantine/core'
import { type DisplayToken, displayRoutes } from '@narval/contracts'
import { IconAlertTriangle, IconDeviceTv, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { Card, EmptyState, ErrorState, errorText, LoadingState, PageHeader } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './display.module.css'
import { DISPLAYS_KEY, DisplayDialog } from './display-dialog.tsx'
import { fr } from './fr.ts'

/** Screens come and go by themselves. */
const REFRESH_MS = 10_000

/** /system/display: tokens of unattended screens. */
export const DisplayPage = () => {
  const client = useQueryClient()
  const [creating, setCreating] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: DISPLAYS_KEY,
    queryFn: ({ signal }) => call(displayRoutes.list, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const revoking = useMutation({
    mutationFn: (id: number) => call(displayRoutes.delete, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: DISPLAYS_KEY }),
  })
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {fr.create}
    </Button>
  )
  return (
    <>
      <PageHeader actions={create} />
      <p className={classes.intro}>{fr.intro}</p>
      {revoking.error !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />}>
          <p>{errorText(revoking.error)}</p>
        </Notice>
      )}
      <Card flush>
        {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
        {error === null && data === undefined && <LoadingState />}
        {data?.length === 0 && (
          <EmptyState title={fr.none} icon={<IconDeviceTv size={28} stroke={1.6} />} action={create}>
            {fr.noneText}
          </EmptyState>
        )}
        {data !== undefined && data.length > 0 && (
          <Tokens tokens={data} busy={revoking.isPending} onRevoke={revoking.mutate} />
        )}
      </Card>
      <DisplayDialog opened={creating} onClose={() => setCreating(false)} />
    </>
  )
}

interface TokensProps {
  readonly tokens: readonly DisplayToken[]
  readonly busy: boolean
  readonly onRevoke: (id: number) => void
}

const Tokens = ({ tokens, busy, onRevoke }: TokensProps) => (
  <Table.ScrollContainer minWidth={780}>
    <Table verticalSpacing="sm" horizontalSpacing="md" aria-label={fr.title}>
      <Table.Thead>
        <Table.Tr>
          {Object.entries(fr.columns).map(([key, label]) => (
            <Table.Th key={key}>{label}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tokens.map(token => (
          <Row key={token.id} token={token} busy={busy} onRevoke={() => onRevoke(token.id)} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

interface RowProps {
  readonly token: DisplayToken
  readonly busy: boolean
  readonly onRevoke: () => void
}

const Row = ({ token, busy, onRevoke }: RowProps) => {
  const over = Date.parse(token.expiresAt) <= Date.now()
  return (
    <Table.Tr>
      <Table.Td>
        <strong>{token.name}</strong>
      </Table.Td>
      <Table.Td>{token.siteName ?? fr.allSites}</Table.Td>
      <Table.Td>
        {over ? (
          <Badge color="gray" variant="light" tt="none">
            {fr.over}
          </Badge>
        ) : (
          <time dateTime={token.expiresAt}>{formatDateTime(token.expiresAt)}</time>
        )}
      </Table.Td>
      <Table.Td>
        {token.lastUsedAt === null ? (
          fr.never
        ) : (
          <>
            <Ago at={token.lastUsedAt} /> <span className={classes.note}>{fr.from(token.lastAddress)}</span>
          </>
        )}
      </Table.Td>
      <Table.Td>{formatNumber(token.screens, 0)}</Table.Td>
      <Table.Td>
        <Ago at={token.createdAt} />{' '}
        {token.createdBy !== null && <span className={classes.note}>{fr.by(token.createdBy)}</span>}
      </Table.Td>
      <Table.Td>
        <Revoke name={token.name} busy={busy} onRevoke={onRevoke} />
      </Table.Td>
    </Table.Tr>
  )
}

/** Asks twice, as ending a session does. */
const Revoke = ({
  name,
  busy,
  onRevoke,
}: {
  readonly name: string
  readonly busy: boolean
  readonly onRevoke: () => void
}) => {
  const [armed, setArmed] = useState(false)
  if (armed)
    return (
      <Button size="compact-sm" color="red" loading={busy} onClick={onRevoke} onBlur={() => setArmed(false)} autoFocus>
        {fr.confirm}
      </Button>
    )
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={fr.revoke(name)}
      title={fr.revoke(name)}
      onClick={() => setArmed(true)}
    >
      <IconTrash size={18} stroke={1.7} />
    </ActionIcon>
  )
}
