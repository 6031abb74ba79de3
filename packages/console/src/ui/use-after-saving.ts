import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

/** After a record was saved or deleted: says it, drops what was cached of anything, and goes back to the list. */
export const useAfterSaving = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (message: string, to: string): void => {
    notifications.show({ message, color: 'green' })
    void client.invalidateQueries()
    void navigate(to)
  }
}
