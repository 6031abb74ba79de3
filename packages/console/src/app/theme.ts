import { createTheme, defaultVariantColorsResolver, type MantineColorSchemeManager } from '@mantine/core'
import { session, storedTheme } from '../lib/session.ts'

/** Colours and sizes are in `tokens.css`: Mantine writes no style of its own. */
export const theme = createTheme({
  primaryColor: 'blue',
  defaultRadius: 8,
  cursorType: 'pointer',
  respectReducedMotion: true,
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
