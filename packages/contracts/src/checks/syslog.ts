import * as z from 'zod/mini'
import { AVAILABILITY, defineCheck, textParameter } from '../check-definition.ts'
import {
  holdField,
  holdParameter,
  patternsOfRules,
  RECEIVED_METRICS,
  ruleColumns,
  ruleParameters,
  rulesOf,
} from './reception.ts'

/** By their number (RFC 5424, 6.2.1). */
export const SYSLOG_LEVELS = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const
export const SYSLOG_FACILITIES = [
  ...['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv', 'ftp'],
  ...['ntp', 'audit', 'alert', 'clock', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
] as const

const LEVEL_NAMES: Readonly<Record<(typeof SYSLOG_LEVELS)[number], string>> = {
  emerg: 'Urgence (0)',
  alert: 'Alerte (1)',
  crit: 'Critique (2)',
  err: 'Erreur (3)',
  warning: 'Avertissement (4)',
  notice: 'Remarque (5)',
  info: 'Information (6)',
  debug: 'Tous, débogage compris (7)',
}

const rule = z.strictObject({
  ...ruleParameters,
  /** Empty: any. */
  facility: z._default(z.enum(['', ...SYSLOG_FACILITIES]), ''),
  /** At least as grave as this. */
  level: z._default(z.enum(SYSLOG_LEVELS), 'debug'),
  /** Program that wrote it, with `*` and `?`; empty: any. */
  app: z._default(textParameter(60), ''),
})
export type SyslogRule = z.output<typeof rule>

export const syslog = defineCheck({
  kind: 'syslog',
  rank: 210,
  concurrency: 256,
  label: 'Syslog',
  family: 'Réception',
  description:
    'Messages syslog (RFC 3164 et 5424, UDP ou TCP) que l’équipement envoie à la sonde, triés par des règles.',
  keywords: ['journal', 'log', 'rsyslog', 'message', '514'],
  parameters: z.strictObject({ rules: rulesOf(rule), holdMinutes: holdParameter }),
  fields: {
    rules: {
      type: 'table',
      label: 'Règles',
      help: 'Un message suit une règle quand tout ce qu’elle dit est vrai de lui. Ce qui est vide convient à tous.',
      columns: {
        ...ruleColumns,
        app: { type: 'text', label: 'Programme', placeholder: 'sshd' },
        facility: {
          type: 'choice',
          label: 'Catégorie',
          choices: [{ value: '', label: 'Toutes' }, ...SYSLOG_FACILITIES.map(name => ({ value: name, label: name }))],
        },
        level: {
          type: 'choice',
          label: 'Gravité au moins',
          choices: SYSLOG_LEVELS.map(level => ({ value: level, label: LEVEL_NAMES[level] })),
        },
      },
      empty: { name: '', severity: 'warning', pattern: '', app: '', facility: '', level: 'debug' },
      add: 'Ajouter une règle',
    },
    holdMinutes: holdField,
  },
  patterns: patternsOfRules,
  metrics: [AVAILABILITY, ...RECEIVED_METRICS],
  passive: true,
})
