import { ACCOUNT_WORDS } from './field-words/account.ts'
import { AVAILABILITY_WORDS } from './field-words/availability.ts'
import { COMMENT_WORDS } from './field-words/comment.ts'
import { COMMON_WORDS } from './field-words/common.ts'
import { CREDENTIAL_WORDS } from './field-words/credential.ts'
import { CUSTOM_FIELD_WORDS } from './field-words/custom-field.ts'
import { DISCOVERY_WORDS } from './field-words/discovery.ts'
import { DISPLAY_WORDS } from './field-words/display.ts'
import type { FieldWords } from './field-words/field-word.ts'
import { HISTORY_WORDS } from './field-words/history.ts'
import { HOST_WORDS } from './field-words/host.ts'
import { IMPORT_WORDS } from './field-words/import.ts'
import { INCIDENT_WORDS } from './field-words/incident.ts'
import { LIST_WORDS } from './field-words/list.ts'
import { LOG_WORDS } from './field-words/log.ts'
import { LOG_BOOK_WORDS } from './field-words/log-book.ts'
import { MAINTENANCE_WORDS } from './field-words/maintenance.ts'
import { METRIC_WORDS } from './field-words/metric.ts'
import { MODEL_WORDS } from './field-words/model.ts'
import { NOTIFICATION_CHANNEL_WORDS } from './field-words/notification-channel.ts'
import { NOTIFICATION_RULE_WORDS } from './field-words/notification-rule.ts'
import { PLATFORM_WORDS } from './field-words/platform.ts'
import { PROBE_WORDS } from './field-words/probe.ts'
import { PROBLEM_WORDS } from './field-words/problem.ts'
import { RECEPTION_WORDS } from './field-words/reception.ts'
import { RULE_SETTING_WORDS } from './field-words/rule-setting.ts'
import { SCANNER_WORDS } from './field-words/scanner.ts'
import { SERVICE_WORDS } from './field-words/service.ts'
import { SITE_WORDS } from './field-words/site.ts'
import { STATUS_WORDS } from './field-words/status.ts'

/** A set for each entity; no field is said by two of them. */
export const FIELD_WORD_SETS: readonly FieldWords[] = [
  ACCOUNT_WORDS,
  AVAILABILITY_WORDS,
  COMMON_WORDS,
  CREDENTIAL_WORDS,
  CUSTOM_FIELD_WORDS,
  DISCOVERY_WORDS,
  DISPLAY_WORDS,
  HISTORY_WORDS,
  HOST_WORDS,
  IMPORT_WORDS,
  INCIDENT_WORDS,
  COMMENT_WORDS,
  LIST_WORDS,
  LOG_BOOK_WORDS,
  LOG_WORDS,
  MAINTENANCE_WORDS,
  METRIC_WORDS,
  MODEL_WORDS,
  NOTIFICATION_CHANNEL_WORDS,
  NOTIFICATION_RULE_WORDS,
  PLATFORM_WORDS,
  PROBE_WORDS,
  PROBLEM_WORDS,
  RECEPTION_WORDS,
  RULE_SETTING_WORDS,
  SCANNER_WORDS,
  SERVICE_WORDS,
  SITE_WORDS,
  STATUS_WORDS,
]

export const FIELD_WORDS: FieldWords = Object.fromEntries(FIELD_WORD_SETS.flatMap(set => Object.entries(set)))
