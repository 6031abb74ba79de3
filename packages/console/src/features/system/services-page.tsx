import { Button } from '@mantine/core'
import { grants } from '@narval/contracts'
import { IconAdjustments, IconDeviceTv, IconSend } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { ComingLater, PageHeader } from '../../ui/page.tsx'

/** /system: a later version brings the state of the services; what is set up beside them is reached from here. */
export const ServicesPage = () => {
  const claims = (useSession().user?.claims ?? []).map(({ claim }) => claim)
  const [notifies, sets] = [grants(claims, 'notification_write'), grants(claims, 'parameter_write')]
  return (
    <>
      {(notifies || sets) && (
        <PageHeader
          actions={
            <>
              {notifies && (
                <Button
                  component={Link}
                  variant="default"
                  to="/system/notification"
                  leftSection={<IconSend size={16} />}
                >
                  Notifications
                </Button>
              )}
              {sets && (
                <Button
                  component={Link}
                  variant="default"
                  to="/system/display"
                  leftSection={<IconDeviceTv size={16} />}
                >
                  Affichage mural
                </Button>
              )}
              {sets && (
                <Button
                  component={Link}
                  variant="default"
                  to="/system/parameter"
                  leftSection={<IconAdjustments size={16} />}
                >
                  Paramètres
                </Button>
              )}
            </>
          }
        />
      )}
      <ComingLater />
    </>
  )
}
