import { Button } from '@mantine/core'
import { maintenanceRoutes } from '@narval/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { errorText } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.ts'
import { fr } from './fr.ts'

/** « Prolonger d’une heure »: the window that runs, or one that has just ended. */
export const ExtendButton = ({ id, onChanged }: { readonly id: number; readonly onChanged: () => void }) => {
  const [busy, setBusy] = useState(false)
  const extend = async (): Promise<void> => {
    setBusy(true)
    try {
      const { current } = await call(maintenanceRoutes.extend, { params: { id }, body: { minutes: 60 } })
      void showToast({ message: current === null ? '' : fr.extended(formatDateTime(current.to)), color: 'green' })
      onChanged()
    } catch (error) {
      void showToast({ message: errorText(error), color: 'red' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="default" loading={busy} leftSection={<IconPlus size={16} />} onClick={() => void extend()}>
      {fr.extend}
    </Button>
  )
}
