/** What one setting of the platform is: its words, bounds and default; `SETTINGS` lists them all. */
interface SettingBase {
  readonly group: 'configuration' | 'collect'
  readonly label: string
  readonly help: string
  /** Readable before signing in. */
  readonly open?: boolean
}
export interface TextSetting extends SettingBase {
  readonly type: 'text' | 'url'
  readonly default: string
  readonly max: number
  /** Of an address: http or https alone, as the server or a browser is to call it. */
  readonly web?: true
}
export interface IntegerSetting extends SettingBase {
  readonly type: 'integer'
  readonly default: number
  readonly min: number
  readonly max: number
  readonly unit: string
}
export interface BooleanSetting extends SettingBase {
  readonly type: 'boolean'
  readonly default: boolean
}
export type SettingDefinition = TextSetting | IntegerSetting | BooleanSetting
