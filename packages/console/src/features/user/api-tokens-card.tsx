import { Badge, Button } from '@mantine/core'
import { type ApiToken, apiTokenRoutes, CLAIM_TEXTS, CLAIMS } from '@narval/contracts'
import { IconKey, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { ArmedButton } from '../../ui/armed-button.tsx'
import list from '../../ui/item-list.module.css'
import { Card, ErrorState, errorText, LoadingState } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { API_TOKENS_KEY, ApiTokenDialog } from './api-token-dialog.tsx'
import { fr } from './fr.ts'
import classes from './my-account.module.css'

const { tokens: words } = fr

/** Tokens for scripts: those there are, a new one, the end of one. */
export const ApiTokensCard = () => {
  const client = useQueryClient()
  const [creating, setCreating] = useState(false)
  const { data, error, refetch, isPending } = useQuery({
    queryKey: API_TOKENS_KEY,
    queryFn: ({ signal }) => call(apiTokenRoutes.list, { signal }),
  })
  const revoking = useMutation({
    mutationFn: (id: number) => call(apiTokenRoutes.delete, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: API_TOKENS_KEY }),
  })
  return (
    <Card
      title={words.title}
      aside={
        <Button size="compact-sm" variant="default" onClick={() => setCreating(true)}>
          {words.create}
        </Button>
      }
    >
      {isPending && <LoadingState height={72} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {revoking.error !== null && (
        <p className={classes.refused} role="alert">
          {errorText(revoking.error)}
        </p>
      )}
      {data?.length === 0 && <p className={classes.note}>{words.none}</p>}
      {data !== undefined && data.length > 0 && (
        <ul className={list.items}>
          {data.map(token => (
            <Row key={token.id} token={token} busy={revoking.isPending} onRevoke={() => revoking.mutate(token.id)} />
          ))}
        </ul>
      )}
      <ApiTokenDialog opened={creating} onClose={() => setCreating(false)} />
    </Card>
  )
}

interface RowProps {
  readonly token: ApiToken
  readonly busy: boolean
  readonly onRevoke: () => void
}

/** Revoking asks twice, as ending a session does. */
const Row = ({ token, busy, onRevoke }: RowProps) => {
  const held = CLAIMS.filter(claim => token.claims.some(entry => entry.claim === claim))
  const over = Date.parse(token.expiresAt) <= Date.now()
  return (
    <li className={list.item}>
      <IconKey size={22} stroke={1.6} aria-hidden="true" />
      <div className={list.text}>
        <strong>{token.name}</strong>
        <span className={classes.note}>
          {over ? words.over : words.until(formatDateTime(token.expiresAt))} · {words.used}{' '}
          {token.lastUsedAt === null ? words.never : <Ago at={token.lastUsedAt} />}
        </span>
        <span className={classes.note}>
          {held.length === 0 ? words.readOnly : held.map(claim => CLAIM_TEXTS[claim].label).join(', ')}
        </span>
      </div>
      {over && (
        <Badge color="gray" variant="light" tt="none">
          {words.expired}
        </Badge>
      )}
      <ArmedButton
        label={words.revoke(token.name)}
        confirm={words.confirm}
        icon={<IconTrash size={18} stroke={1.7} />}
        busy={busy}
        onConfirm={onRevoke}
      />
    </li>
  )
}
