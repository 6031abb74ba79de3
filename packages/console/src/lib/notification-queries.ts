import { notificationRoutes } from '@narval/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from './api.ts'

export const NOTIFICATIONS_KEY = ['notifications'] as const

/** My notifications, newest first (50 at most), with the unread ones by severity. */
export const useNotificationList = () =>
  useQuery({
    queryKey: NOTIFICATIONS_KEY,
    queryFn: ({ signal }) => call(notificationRoutes.list, { signal }),
    // What was read in another tab is not told to this one.
    refetchOnWindowFocus: 'always',
  })

/** Marks as read one group, by one of its notifications. */
export const useMarkGroupRead = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (place: number) => call(notificationRoutes.readGroup, { body: { place } }),
    onSuccess: () => client.invalidateQueries({ queryKey: NOTIFICATIONS_KEY }),
  })
}

/** Marks as read all of them up to an id. */
export const useMarkRead = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (through: number) => call(notificationRoutes.read, { body: { through } }),
    onSuccess: () => client.invalidateQueries({ queryKey: NOTIFICATIONS_KEY }),
  })
}
