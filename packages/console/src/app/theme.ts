import { createTheme, defaultVariantColorsResolver, type MantineColorSchemeManager, Notification } from '@mantine/core'
import { fr } from '../i18n/fr.ts'
import { session, storedTheme } from '../lib/session.ts'
import toast from './toast.module.css'

/** Colours and sizes are in `tokens.css`: Mantine writes no style of its own. */
export const theme = createTheme({
  primaryColor: 'blue',
  defaultRadius: 8,
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A dialog's own header is no banner of the page.
    Modal: {
      defaultProps: {
        attributes: { header: { role: 'presentation' } },
        closeButtonProps: { 'aria-label': fr.common.close },
      },
    },
    Drawer: {
      defaultProps: {
        attributes: { header: { role: 'presentation' } },
        closeButtonProps: { 'aria-label': fr.common.close },
      },
    },
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': fr.common.close } },
      classNames: {
        root: toast.root ?? '',
        icon: toast.icon ?? '',
        title: toast.title ?? '',
        description: toast.description ?? '',
        closeButton: toast.closeButton ?? '',
      },
    }),
  },
  variantColorResolver: input => {
    const resolved = defaultVariantColorsResolver(input)
    return input.variant === 'filled' ? { ...resolved, color: 'var(--on-accent)' } : resolved
  },
})

/** The account's theme holds; `auto` follows the system. Nothing is kept in local storage beside the account. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: () => session.state().user?.theme ?? storedTheme,
  set: () => {},
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => {},
}
