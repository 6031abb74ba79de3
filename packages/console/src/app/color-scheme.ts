import { storedTheme } from '../lib/session.ts'

const dark = matchMedia('(prefers-color-scheme: dark)')

/** Sets the scheme of the first paint; from then on Mantine's provider keeps the same attribute, where there is one. */
export const applyColorScheme = (): void => {
  const apply = (): void => {
    const scheme = storedTheme === 'auto' ? (dark.matches ? 'dark' : 'light') : storedTheme
    document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  }
  apply()
  if (storedTheme === 'auto') dark.addEventListener('change', apply)
}
