import type { NotificationData } from '@mantine/notifications'
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let wanted = false

/** Brings the place of the toasts onto the screen; what was shown before it came is shown then. */
export const wantToasts = (): void => {
  if (wanted) return
  wanted = true
  for (const listener of [...listeners]) listener()
}

/** Whether the place of the toasts is wanted: the sign-in page loads it with its first toast only. */
export const useToastsWanted = (): boolean =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => wanted,
  )

/** Shows a toast from a page that may not have loaded them yet; elsewhere `notifications.show` does as well. */
export const showToast = async (toast: NotificationData): Promise<void> => {
  wantToasts()
  const { notifications } = await import('@mantine/notifications')
  notifications.show(toast)
}
