import { Notifications } from '@mantine/notifications'
import { MantineRoot } from './mantine-root.tsx'
import classes from './toast.module.css'

/** At most this many toasts at once; the others wait for their turn. */
const TOASTS = 4

/** The place of the toasts, loaded with the shell or with the first toast. */
export const ToastHost = () => (
  <MantineRoot>
    <Notifications
      className={classes.place ?? ''}
      position="top-right"
      limit={TOASTS}
      containerWidth={400}
      zIndex={1000}
    />
  </MantineRoot>
)
