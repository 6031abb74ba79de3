import { sessionRoutes } from '@narval/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { account } from '../../i18n/account.ts'
import { call } from '../../lib/api.ts'
import { ArmedButton } from '../../ui/armed-button.tsx'
import { LIST_KEY } from '../../ui/live-rows.ts'
import { ErrorState, LoadingState } from '../../ui/page.tsx'
import { SessionList } from '../../ui/session-list.tsx'
import { Refused } from './account-dialogs.tsx'
import classes from './accounts.module.css'
import { fr } from './fr.ts'

const { sessions: words } = fr
const REFRESH_MS = 15_000

interface AccountSessionsProps {
  readonly id: number
  /** Whether its sessions may be ended by who looks. */
  readonly mayEnd: boolean
}

/** Where an account is signed in, and how to end it there. */
export const AccountSessions = ({ id, mayEnd }: AccountSessionsProps) => {
  const client = useQueryClient()
  const key = ['account-sessions', id]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(sessionRoutes.ofAccount, { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  })
  const ending = useMutation({
    mutationFn: (session: number | null) =>
      call(sessionRoutes.endOfAccount, { params: { id }, query: session === null ? {} : { session: String(session) } }),
    onSettled: () =>
      Promise.all([client.invalidateQueries({ queryKey: key }), client.invalidateQueries({ queryKey: [LIST_KEY] })]),
  })
  if (data === undefined)
    return error === null ? <LoadingState height={72} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const others = data.filter(session => !session.current)
  return (
    <>
      <Refused error={ending.error} />
      {data.length === 0 && <p className={classes.note}>{account.sessions.none}</p>}
      <SessionList sessions={data} mayEnd={mayEnd} busy={ending.isPending} onEnd={id => ending.mutate(id)} />
      {mayEnd && others.length > 1 && (
        <ArmedButton
          label={words.endAll}
          confirm={words.confirmAll}
          busy={ending.isPending}
          onConfirm={() => ending.mutate(null)}
        />
      )}
    </>
  )
}
