import { ActionIcon } from '@mantine/core'
import { CHECKS, type CheckKind } from '@narval/contracts'
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconCopy,
  IconTrash,
} from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { useWatch } from 'react-hook-form'
import { formatDuration } from '../../lib/format.ts'
import { SCHEDULE_FIELDS } from '../../lib/schedule.ts'
import { SwitchField, TextField } from '../../ui/form-fields.tsx'
import { KindIcon } from '../../ui/kind-icon.tsx'
import { ParameterFields } from '../../ui/scanner-parameters.tsx'
import { ScheduleFieldInput } from '../../ui/schedule-fields.tsx'
import type { ScheduleDefaults } from '../../ui/use-schedule-defaults.ts'
import { fr } from './fr.ts'
import { ModelMetrics } from './model-metrics.tsx'
import type { ModelFormHandle } from './model-schema.ts'
import classes from './scanner-card.module.css'

interface ScannerCardProps {
  readonly form: ModelFormHandle
  readonly index: number
  readonly last: boolean
  readonly defaults: ScheduleDefaults
  readonly open: boolean
  readonly wrong: boolean
  readonly readOnly: boolean
  readonly onOpen: (open: boolean) => void
  readonly onMove: (by: -1 | 1) => void
  readonly onCopy: (() => void) | null
  readonly onRemove: () => void
}

const words = fr.card

/** One scanner of a model: closed it says what it is in a line, open it is a form. What is wrong is always open. */
export const ScannerCard = (props: ScannerCardProps) => {
  const { form, index, defaults, wrong, readOnly, onOpen } = props
  const scanner = useWatch({ control: form.control, name: `definition.scanners.${index}` })
  const bodyId = useId()
  // Taken away: its card goes with the next rendering.
  if (scanner === undefined) return null
  const open = props.open || wrong
  const name = typeof scanner.name === 'string' && scanner.name !== '' ? scanner.name : CHECKS[scanner.kind].label
  const everyS = typeof scanner.intervalSeconds === 'number' ? scanner.intervalSeconds : defaults.intervalSeconds
  const facts = [
    CHECKS[scanner.kind].label,
    scanner.enabled === false ? words.off : words.every(formatDuration(everyS * 1_000)),
    words.set(scanner.metrics?.length ?? 0),
  ].filter(fact => fact !== '')
  return (
    <li className={classes.card} data-open={open || undefined} data-off={scanner.enabled === false || undefined}>
      <div className={classes.head}>
        <span className={classes.icon}>
          <KindIcon kind={scanner.kind} />
        </span>
        <Title name={name} open={open} bodyId={bodyId} onOpen={readOnly || wrong ? null : onOpen}>
          {facts.join(' · ')}
          {wrong && (
            <span className={classes.wrong}>
              <IconAlertTriangle size={13} aria-hidden /> {words.wrong}
            </span>
          )}
        </Title>
        {!readOnly && <CardActions {...props} name={name} />}
      </div>
      {open && (
        <div className={classes.body} id={bodyId}>
          <CardFields form={form} index={index} kind={scanner.kind} defaults={defaults} readOnly={readOnly} />
        </div>
      )}
    </li>
  )
}

interface TitleProps {
  readonly name: string
  readonly open: boolean
  readonly bodyId: string
  /** Null: it does not close. */
  readonly onOpen: ((open: boolean) => void) | null
  readonly children: ReactNode
}

const Title = ({ name, open, bodyId, onOpen, children }: TitleProps) => {
  const text = (
    <span className={classes.text}>
      <strong>{name}</strong> <span className={classes.facts}>{children}</span>
    </span>
  )
  if (onOpen === null) return <div className={classes.toggle}>{text}</div>
  return (
    <button
      type="button"
      className={classes.toggle}
      aria-expanded={open}
      aria-controls={open ? bodyId : undefined}
      onClick={() => onOpen(!open)}
    >
      {text}
      <IconChevronDown size={16} className={classes.chevron} aria-hidden />
    </button>
  )
}

type ActionProps = Pick<ScannerCardProps, 'index' | 'last' | 'onMove' | 'onCopy' | 'onRemove'> & {
  readonly name: string
}

const CardActions = ({ index, last, onMove, onCopy, onRemove, name }: ActionProps) => {
  const actions = [
    { label: words.up(name), icon: <IconArrowUp size={16} />, run: index > 0 ? () => onMove(-1) : null },
    { label: words.down(name), icon: <IconArrowDown size={16} />, run: last ? null : () => onMove(1) },
    { label: words.copy(name), icon: <IconCopy size={16} />, run: onCopy },
    { label: words.remove(name), icon: <IconTrash size={16} />, run: onRemove },
  ]
  return (
    <div className={classes.actions}>
      {actions.map(({ label, icon, run }) => (
        <ActionIcon
          key={label}
          variant="subtle"
          color="gray"
          size="md"
          className={classes.action}
          aria-label={label}
          title={label}
          disabled={run === null}
          onClick={() => run?.()}
        >
          {icon}
        </ActionIcon>
      ))}
    </div>
  )
}

interface CardFieldsProps {
  readonly form: ModelFormHandle
  readonly index: number
  readonly kind: CheckKind
  readonly defaults: ScheduleDefaults
  readonly readOnly: boolean
}

const CardFields = ({ form, index, kind, defaults, readOnly }: CardFieldsProps) => {
  const { control } = form
  const at = `definition.scanners.${index}` as const
  return (
    <>
      <div className={classes.fields}>
        <TextField control={control} name={`${at}.name`} label={fr.scannerName} required />
        <SwitchField control={control} name={`${at}.enabled`} label={fr.scannerEnabled} help={fr.scannerEnabledHelp} />
      </div>
      <h3 className={classes.part}>{fr.parameters}</h3>
      <div className={classes.fields}>
        <ParameterFields kind={kind} control={control} at={`${at}.parameters`} />
      </div>
      <h3 className={classes.part}>{fr.schedule}</h3>
      <div className={classes.fields}>
        {SCHEDULE_FIELDS.map(field => (
          <ScheduleFieldInput key={field} control={control} at={at} field={field} defaults={defaults} />
        ))}
      </div>
      <h3 className={classes.part}>{fr.metrics}</h3>
      <ModelMetrics form={form} index={index} kind={kind} readOnly={readOnly} />
    </>
  )
}
