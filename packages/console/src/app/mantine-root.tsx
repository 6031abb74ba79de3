import { MantineProvider, useMantineColorScheme } from '@mantine/core'
import { getNonce } from 'get-nonce'
import { type ReactNode, useEffect } from 'react'
import 'virtual:mantine-styles'
import { useSession } from '../lib/session.ts'
import { colorSchemeManager, theme } from './theme.ts'

/**
 * Mantine for what is inside: the shell, and the toasts. The sign-in page does without it, which keeps it small.
 * Its styles come from files; the few it writes itself carry the page's nonce.
 */
export const MantineRoot = ({ children }: { readonly children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    colorSchemeManager={colorSchemeManager}
    getStyleNonce={() => getNonce() ?? ''}
    withCssVariables={false}
  >
    <AccountLook />
    {children}
  </MantineProvider>
)

/** Theme and density that the account has chosen. */
const AccountLook = () => {
  const { user } = useSession()
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const chosen = user?.theme
  const density = user?.density ?? 'comfortable'
  useEffect(() => {
    document.documentElement.dataset.density = density
  }, [density])
  useEffect(() => {
    if (chosen !== undefined) setColorScheme(chosen)
  }, [chosen, setColorScheme])
  return null
}
