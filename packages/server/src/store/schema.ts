import type { AccountTables } from './tables/account.ts'
import type { CommentTables } from './tables/comment.ts'
import type { CredentialTables } from './tables/credential.ts'
import type { CustomFieldTables } from './tables/custom-field.ts'
import type { DiscoveryTables } from './tables/discovery.ts'
import type { DisplayTables } from './tables/display.ts'
import type { HostTables } from './tables/host.ts'
import type { ListTables } from './tables/list.ts'
import type { LogBookTables } from './tables/log-book.ts'
import type { MaintenanceTables } from './tables/maintenance.ts'
import type { MetricTables } from './tables/metric.ts'
import type { MonitoringTables } from './tables/monitoring.ts'
import type { MonitoringModelTables } from './tables/monitoring-model.ts'
import type { NotificationTables } from './tables/notification.ts'
import type { NotificationRuleTables } from './tables/notification-rule.ts'
import type { PlatformTables } from './tables/platform.ts'
import type { ProbeTables } from './tables/probe.ts'
import type { ReceptionTables } from './tables/reception.ts'
import type { RuleSettingTables } from './tables/rule-setting.ts'
import type { ScannerTables } from './tables/scanner.ts'
import type { ServiceTables } from './tables/service.ts'
import type { SiteTables } from './tables/site.ts'
import type { StateHistoryTables } from './tables/state-history.ts'

/**
 * Rows as they lie in both databases: snake_case, times as epoch ms, booleans as 0/1, lists and records as JSON text.
 * Snake case stops in the `*.store.ts` files. A new table goes into the file of its entity.
 */
export interface Schema
  extends AccountTables,
    CommentTables,
    CredentialTables,
    CustomFieldTables,
    DiscoveryTables,
    DisplayTables,
    HostTables,
    ListTables,
    LogBookTables,
    MaintenanceTables,
    MetricTables,
    MonitoringTables,
    MonitoringModelTables,
    NotificationTables,
    NotificationRuleTables,
    PlatformTables,
    ProbeTables,
    ReceptionTables,
    RuleSettingTables,
    ScannerTables,
    ServiceTables,
    SiteTables,
    StateHistoryTables {}
