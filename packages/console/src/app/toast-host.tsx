import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { MantineRoot } from './mantine-root.tsx'
import { NARROW } from './narrow.ts'
import classes from './toast.module.css'

/** At most this many toasts at once; the others wait for their turn. On a phone they would hide the page. */
const TOASTS = { wide: 4, narrow: 1 } as const

/** The place of the toasts, loaded with the shell or with the first toast. */
export const ToastHost = () => {
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false
  return (
    <MantineRoot>
      <Notifications
        className={classes.place ?? ''}
        position={narrow ? 'bottom-center' : 'top-right'}
        limit={narrow ? TOASTS.narrow : TOASTS.wide}
        containerWidth={400}
        zIndex={1000}
      />
    </MantineRoot>
  )
}
