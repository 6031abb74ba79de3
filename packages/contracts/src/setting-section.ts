/** Groups of the platform's settings, in the order of the forms. */
export const SETTING_SECTIONS = [
  'check',
  'validation',
  'flapping',
  'silence',
  'incident',
  'cause',
  'product',
  'password',
  'session',
  'notification',
  'shift',
  'keeping',
  'beat',
  'other',
] as const
export type SettingSection = (typeof SETTING_SECTIONS)[number]

const KEYS: Readonly<Partial<Record<SettingSection, readonly string[]>>> = {
  check: ['intervalSeconds', 'timeoutMs'],
  validation: ['attempts', 'retryIntervalSeconds', 'hysteresisPercent'],
  flapping: ['flapping', 'flappingStartPercent', 'flappingEndPercent'],
  silence: ['silenceFactor', 'silenceFloorSeconds'],
  incident: ['reopenMinutes', 'acknowledgeHours', 'firstNotificationMinutes'],
  cause: ['secondOpinion', 'dependencies'],
  keeping: [
    'rawDays',
    'fiveMinutesDays',
    'hourDays',
    'eventDays',
    'eventsPerScanner',
    'stateHistoryDays',
    'deliveryDays',
    'auditDays',
  ],
  beat: ['beatUrl', 'beatSeconds'],
  product: ['productName', 'consoleUrl', 'documentationUrl', 'contactUrl'],
  password: ['passwordMinLength', 'passwordMaxLength', 'temporaryPasswordHours', 'forbidCommonPasswords'],
  session: ['sessionIdleHours', 'sessionMaxDays'],
  shift: ['shiftStartHour', 'shiftsPerDay'],
  notification: ['notificationWaitSeconds', 'notificationNewsMinutes', 'notificationReminderMinutes'],
}

/** Where a setting stands in the forms; `other` until somebody says it. */
export const settingSection = (key: string): SettingSection =>
  SETTING_SECTIONS.find(section => KEYS[section]?.includes(key) === true) ?? 'other'
