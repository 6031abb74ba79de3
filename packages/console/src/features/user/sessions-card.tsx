import { Button } from '@mantine/core'
import { sessionRoutes } from '@narval/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { Card, ErrorState, errorText, LoadingState } from '../../ui/page.tsx'
import { SessionList } from '../../ui/session-list.tsx'
import { fr } from './fr.ts'
import classes from './my-account.module.css'

const { sessions: words } = fr
const KEY = ['account', 'sessions']

/** Where one is signed in, and how to end it there. */
export const SessionsCard = () => {
  const client = useQueryClient()
  const { data, error, refetch, isPending } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(sessionRoutes.list, { signal }),
  })
  const ending = useMutation({
    mutationFn: (id: number | null) =>
      id === null ? call(sessionRoutes.endOthers, {}) : call(sessionRoutes.end, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
  const others = data?.filter(session => !session.current) ?? []
  return (
    <Card
      title={words.title}
      aside={
        others.length > 0 && (
          <Button size="compact-sm" variant="default" loading={ending.isPending} onClick={() => ending.mutate(null)}>
            {words.endOthers}
          </Button>
        )
      }
    >
      {isPending && <LoadingState height={72} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {ending.error !== null && (
        <p className={classes.refused} role="alert">
          {errorText(ending.error)}
        </p>
      )}
      {data !== undefined && (
        <SessionList sessions={data} mayEnd busy={ending.isPending} onEnd={id => ending.mutate(id)} />
      )}
      {data !== undefined && others.length === 0 && <p className={classes.note}>{words.alone}</p>}
    </Card>
  )
}
