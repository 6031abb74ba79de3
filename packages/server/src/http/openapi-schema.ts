import {
  account,
  accountRow,
  accountSession,
  alertSettings,
  apiToken,
  availabilityInterval,
  availabilityOfHost,
  availabilityOfMetric,
  availabilityRow,
  availabilitySummary,
  availabilityTotal,
  chainLink,
  comment,
  commentNews,
  dashboardMain,
  datatableRequest,
  deletionPlan,
  delivery,
  discoveryFinding,
  discoveryRange,
  discoveryRun,
  displayToken,
  fieldChange,
  fieldDefinition,
  fieldGroup,
  fieldHolder,
  handover,
  handoverSummary,
  historyEntry,
  host,
  hostCause,
  hostGrid,
  hostModel,
  incident,
  incidentDetail,
  incidentEvent,
  lastUpdate,
  learntThresholds,
  logBookEntry,
  logDetail,
  logEntry,
  logVerification,
  look,
  maintenance,
  maintenanceLoss,
  maintenanceOccurrence,
  maintenancePreview,
  maintenanceReport,
  maintenanceRun,
  metric,
  metricAvailabilityInterval,
  metricAvailabilityRow,
  metricAvailabilitySummary,
  metricAvailabilityTotal,
  metricData,
  metricEvent,
  metricEvents,
  metricLive,
  modelDefinition,
  modelPlan,
  monitoringModel,
  namedType,
  notification,
  notificationChannel,
  notificationGroup,
  notificationRule,
  ownAccount,
  privilegeCell,
  privilegeGroup,
  privilegeMatrix,
  probe,
  probeConfiguration,
  probeGroup,
  problem,
  problemRow,
  publicConfiguration,
  pushToken,
  receivedEvent,
  recordField,
  recordFields,
  ruleOrigin,
  ruleSetting,
  type Schema,
  scanner,
  scannerLearnReply,
  scannerPing,
  scannerRun,
  scannerTestReply,
  searchResult,
  secondOpinion,
  select2Reply,
  service,
  serviceDetail,
  serviceError,
  serviceFigure,
  serviceStorage,
  settingValue,
  severityCounts,
  simulation,
  site,
  siteNode,
  statusChange,
  statusChangeGroup,
  statusHour,
  statusSite,
  testedValue,
  thresholds,
  tokens,
  topology,
  topologyHost,
  topologyProbe,
  userGroup,
  wall,
  wallProblem,
} from '@narval/contracts'
import * as z from 'zod/mini'
import type { FieldWord } from './field-words/field-word.ts'
import { FIELD_WORDS } from './openapi-fields.ts'
import { french } from './openapi-words.ts'

/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema
export type Direction = 'input' | 'output'

type Names = Readonly<Record<string, Schema>>
const registryOf = (names: Names) => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(names)) registry.add(schema, { id })
  return registry
}

/** Said once under `components/schemas`. What is sent and what is answered differ by their defaults: two families. */
const NAMES = {
  input: registryOf({ DatatableRequest: datatableRequest }),
  output: registryOf({
    Account: account,
    AlertSettings: alertSettings,
    AccountRow: accountRow,
    AccountSession: accountSession,
    ApiToken: apiToken,
    AvailabilityInterval: availabilityInterval,
    AvailabilityOfHost: availabilityOfHost,
    AvailabilityOfMetric: availabilityOfMetric,
    AvailabilityRow: availabilityRow,
    AvailabilitySummary: availabilitySummary,
    AvailabilityTotal: availabilityTotal,
    Comment: comment,
    CommentNews: commentNews,
    DashboardMain: dashboardMain,
    DeletionPlan: deletionPlan,
    DiscoveryFinding: discoveryFinding,
    Look: look,
    DiscoveryRange: discoveryRange,
    DiscoveryRun: discoveryRun,
    DisplayToken: displayToken,
    FieldChange: fieldChange,
    FieldDefinition: fieldDefinition,
    FieldGroup: fieldGroup,
    FieldHolder: fieldHolder,
    Handover: handover,
    HandoverSummary: handoverSummary,
    HistoryEntry: historyEntry,
    Host: host,
    HostCause: hostCause,
    HostGrid: hostGrid,
    HostModel: hostModel,
    ChainLink: chainLink,
    Incident: incident,
    IncidentDetail: incidentDetail,
    IncidentEvent: incidentEvent,
    LastUpdate: lastUpdate,
    LogBookEntry: logBookEntry,
    LogDetail: logDetail,
    LogEntry: logEntry,
    LogVerification: logVerification,
    Maintenance: maintenance,
    MaintenanceLoss: maintenanceLoss,
    MaintenanceOccurrence: maintenanceOccurrence,
    MaintenancePreview: maintenancePreview,
    MaintenanceReport: maintenanceReport,
    MaintenanceRun: maintenanceRun,
    Metric: metric,
    MetricAvailabilityInterval: metricAvailabilityInterval,
    MetricAvailabilityRow: metricAvailabilityRow,
    MetricAvailabilitySummary: metricAvailabilitySummary,
    MetricAvailabilityTotal: metricAvailabilityTotal,
    MetricData: metricData,
    MetricEvent: metricEvent,
    MetricEvents: metricEvents,
    MetricLive: metricLive,
    ModelDefinition: modelDefinition,
    ModelPlan: modelPlan,
    MonitoringModel: monitoringModel,
    NamedType: namedType,
    Notification: notification,
    NotificationGroup: notificationGroup,
    NotificationRule: notificationRule,
    OwnAccount: ownAccount,
    Probe: probe,
    ProbeConfiguration: probeConfiguration,
    NotificationChannel: notificationChannel,
    Delivery: delivery,
    ProbeGroup: probeGroup,
    PrivilegeCell: privilegeCell,
    PrivilegeGroup: privilegeGroup,
    PrivilegeMatrix: privilegeMatrix,
    Problem: problem,
    ProblemRow: problemRow,
    PublicConfiguration: publicConfiguration,
    PushToken: pushToken,
    ReceivedEvent: receivedEvent,
    RecordField: recordField,
    RecordFields: recordFields,
    RuleOrigin: ruleOrigin,
    RuleSetting: ruleSetting,
    Scanner: scanner,
    LearntThresholds: learntThresholds,
    ScannerLearnt: scannerLearnReply,
    ScannerPing: scannerPing,
    ScannerRun: scannerRun,
    ScannerTest: scannerTestReply,
    TestedValue: testedValue,
    SearchResult: searchResult,
    SecondOpinion: secondOpinion,
    StatusChange: statusChange,
    StatusChangeGroup: statusChangeGroup,
    StatusHour: statusHour,
    StatusSite: statusSite,
    Select2: select2Reply,
    SettingValue: settingValue,
    SeverityCounts: severityCounts,
    Simulation: simulation,
    Service: service,
    ServiceDetail: serviceDetail,
    ServiceError: serviceError,
    ServiceFigure: serviceFigure,
    ServiceStorage: serviceStorage,
    Site: site,
    SiteNode: siteNode,
    Thresholds: thresholds,
    Tokens: tokens,
    Topology: topology,
    TopologyHost: topologyHost,
    TopologyProbe: topologyProbe,
    UserGroup: userGroup,
    Wall: wall,
    WallProblem: wallProblem,
  }),
} as const

/** Collects the schemas of a document; `components` holds the named ones that were met. */
export interface SchemaCollector {
  readonly components: ReadonlyMap<string, JsonSchema>
  /** The schema in OpenAPI's form; `scope` is where the words of its fields are looked for first. */
  of(schema: Schema, direction: Direction, scope: string): JsonSchema
}

export const createSchemaCollector = (): SchemaCollector => {
  const components = new Map<string, JsonSchema>()
  return {
    components,
    of(schema, direction, scope) {
      const metadata = NAMES[direction]
      const made = z.toJSONSchema(schema, { io: direction, unrepresentable: 'any', metadata })
      const { $schema: _, $defs = {}, ...root } = made
      for (const [name, definition] of Object.entries($defs)) {
        if (!components.has(name)) components.set(name, readable(definition, direction, name))
      }
      return readable(root, direction, scope)
    },
  }
}

/** ISO 8601 in UTC: the calendar that zod writes into its pattern is what `date-time` says already. */
const UTC = 'Z$'

const readable = (source: JsonSchema, direction: Direction, scope: string): JsonSchema => {
  const { properties, items, oneOf, anyOf = oneOf, allOf, additionalProperties, ...rest } = source
  const walk = (one: JsonSchema) => readable(one, direction, scope)
  const isLoose = additionalProperties === undefined || (additionalProperties === false && direction === 'output')
  return described(
    {
      ...plain(rest),
      ...(properties === undefined ? {} : { properties: fieldsOf(properties, direction, scope) }),
      ...(isSchema(items) ? { items: walk(items) } : {}),
      ...(anyOf === undefined ? {} : { anyOf: anyOf.filter(isSchema).map(walk) }),
      ...(allOf === undefined ? {} : { allOf: allOf.filter(isSchema).map(walk) }),
      ...(isLoose
        ? {}
        : { additionalProperties: isSchema(additionalProperties) ? walk(additionalProperties) : additionalProperties }),
    },
    properties === undefined && additionalProperties === undefined ? undefined : FIELD_WORDS[scope],
    direction,
  )
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Bounds that are only JavaScript's safe integers say nothing to a reader. */
const plain = (source: JsonSchema): JsonSchema => {
  const { $ref, minimum, maximum, pattern, ...rest } = source
  return {
    ...($ref === undefined ? {} : { $ref: $ref.replace('#/$defs/', '#/components/schemas/') }),
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(pattern === undefined ? {} : { pattern: rest.format === 'date-time' ? UTC : pattern }),
  }
}

type Properties = NonNullable<JsonSchema['properties']>
const fieldsOf = (properties: Properties, direction: Direction, scope: string): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      if (!isSchema(field)) return [name, field]
      const word = FIELD_WORDS[`${scope}.${name}`] ?? FIELD_WORDS[name]
      return [name, described(readable(field, direction, name), word, direction)]
    }),
  )

/** Examples go with what a caller sends. */
const described = (schema: JsonSchema, word: FieldWord | undefined, direction: Direction): JsonSchema => {
  if (word === undefined) return schema
  const { text, reply = undefined, example = undefined } = typeof word === 'string' ? { text: word } : word
  const said = direction === 'output' ? (reply ?? text) : text
  return {
    ...schema,
    ...(said === undefined ? {} : { description: french(said) }),
    ...(example === undefined || direction === 'output' ? {} : { examples: [example] }),
  }
}

const DIGITS = /^\^(?:\[1-9\])?\\d\{(\d+),(\d+)\}\$$/
/** A parameter whose text is only digits is an integer to whoever writes it: same texts, said better. */
export const asParameter = (schema: JsonSchema): JsonSchema => {
  const match = typeof schema.pattern === 'string' ? DIGITS.exec(schema.pattern) : null
  if (match === null) return schema
  const { pattern, type: _, ...rest } = schema
  const leading = pattern?.startsWith('^[1-9]') === true
  return {
    type: 'integer',
    ...rest,
    minimum: leading ? 1 : 0,
    maximum: 10 ** (Number(match[2]) + (leading ? 1 : 0)) - 1,
  }
}
