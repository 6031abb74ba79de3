import { COLLECT_SETTINGS } from './setting-collect.ts'
import { CONFIGURATION_SETTINGS } from './setting-configuration.ts'

export type { BooleanSetting, IntegerSetting, SettingDefinition, TextSetting } from './setting-definition.ts'

/**
 * Settings of the platform, their bounds and defaults: the one table from which the endpoints, the forms and the
 * services read.
 */
export const SETTINGS = { ...CONFIGURATION_SETTINGS, ...COLLECT_SETTINGS }

export type SettingKey = keyof typeof SETTINGS
export type Settings = {
  readonly [K in SettingKey]: (typeof SETTINGS)[K]['default'] extends number
    ? number
    : (typeof SETTINGS)[K]['default'] extends boolean
      ? boolean
      : string
}
