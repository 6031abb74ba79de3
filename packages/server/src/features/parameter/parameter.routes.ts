import { type PublicConfiguration, parameterRoutes } from '@narval/contracts'
import { type Mounted, on, onOpen } from '../../http/mount.ts'
import { fromIso } from '../../store/time.ts'
import type { LogoService } from './logo.service.ts'
import type { SettingsService } from './settings.service.ts'

const publicPart = (settings: SettingsService, logo: LogoService): PublicConfiguration => ({
  ...settings.publicPart(),
  logo: logo.address(),
})
const seenOf = (seen: string | undefined): number | null => (seen === undefined ? null : fromIso(seen))

export const parameterHandlers = (settings: SettingsService, logo: LogoService): Mounted[] => [
  onOpen(parameterRoutes.public, () => publicPart(settings, logo)),
  on(parameterRoutes.setLogo, async ({ body }, viewer) => {
    await logo.set(viewer, body)
    return publicPart(settings, logo)
  }),
  on(parameterRoutes.deleteLogo, async (_, viewer) => {
    await logo.remove(viewer)
    return publicPart(settings, logo)
  }),
  on(parameterRoutes.configuration, () => settings.list('configuration')),
  on(parameterRoutes.setConfiguration, ({ body, query }, viewer) =>
    settings.update('configuration', body, viewer.login, seenOf(query.seen)),
  ),
  on(parameterRoutes.collect, () => settings.list('collect')),
  on(parameterRoutes.setCollect, ({ body, query }, viewer) =>
    settings.update('collect', body, viewer.login, seenOf(query.seen)),
  ),
]
