import { session } from './session.ts'

/** The same name as in the guide's own script (packages/console/guide/browser.ts). */
const THEME_KEY = 'guideTheme'

/** Tells the guide, before it opens, which theme its reader chose in the console. */
export const shareTheme = (): void => {
  const theme = session.state().user?.theme ?? 'auto'
  if (theme === 'auto') localStorage.removeItem(THEME_KEY)
  else localStorage.setItem(THEME_KEY, theme)
}
