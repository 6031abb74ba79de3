import { notificationRuleRoutes } from '@narval/contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

const REFRESH_MS = 15_000

export const rulesQuery = queryOptions({
  queryKey: ['notification-rules'],
  queryFn: ({ signal }) => call(notificationRuleRoutes.list, { signal }),
  refetchInterval: REFRESH_MS,
})

/** Whom and by what a rule may reach. */
export const choicesQuery = queryOptions({
  queryKey: ['notification-rules', 'choices'],
  queryFn: ({ signal }) => call(notificationRuleRoutes.choices, { signal }),
})
