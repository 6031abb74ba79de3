import { parameterRoutes } from '@narval/contracts'
import { type Mounted, on, onOpen } from '../../http/mount.ts'
import type { SettingsService } from './settings.service.ts'

export const parameterHandlers = (settings: SettingsService): Mounted[] => [
  onOpen(parameterRoutes.public, () => settings.publicPart()),
  on(parameterRoutes.configuration, () => settings.list('configuration')),
  on(parameterRoutes.setConfiguration, ({ body }, viewer) => settings.update('configuration', body, viewer.login)),
  on(parameterRoutes.collect, () => settings.list('collect')),
  on(parameterRoutes.setCollect, ({ body }, viewer) => settings.update('collect', body, viewer.login)),
]
