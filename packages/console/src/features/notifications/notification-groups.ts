import { notificationRoutes } from '@narval/contracts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { NOTIFICATIONS_KEY } from '../../lib/notification-queries.ts'
import { filterQuery, type NotificationFilters } from './group-view.ts'

/** The page of groups that a filter finds, and those before it as one asks for them. */
export const useNotificationGroups = (filters: NotificationFilters) =>
  useInfiniteQuery({
    // Beside the shell's list: what tells it that something came tells this one too.
    queryKey: [...NOTIFICATIONS_KEY, 'groups', filters],
    queryFn: ({ pageParam, signal }) =>
      call(notificationRoutes.groups, {
        query: { ...filterQuery(filters, Date.now()), ...(pageParam === null ? {} : { before: String(pageParam) }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  })
