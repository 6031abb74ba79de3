import { parameterRoutes } from '@narval/contracts'
import { type Mounted, on, onOpen } from '../../http/mount.ts'
import { fromIso } from '../../store/time.ts'
import type { SettingsService } from './settings.service.ts'

const seenOf = (seen: string | undefined): number | null => (seen === undefined ? null : fromIso(seen))

export const parameterHandlers = (settings: SettingsService): Mounted[] => [
  onOpen(parameterRoutes.public, () => settings.publicPart()),
  on(parameterRoutes.configuration, () => settings.list('configuration')),
  on(parameterRoutes.setConfiguration, ({ body, query }, viewer) =>
    settings.update('configuration', body, viewer.login, seenOf(query.seen)),
  ),
  on(parameterRoutes.collect, () => settings.list('collect')),
  on(parameterRoutes.setCollect, ({ body, query }, viewer) =>
    settings.update('collect', body, viewer.login, seenOf(query.seen)),
  ),
]
