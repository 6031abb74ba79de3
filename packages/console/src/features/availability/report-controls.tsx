import { Button, Popover, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import classes from './availability.module.css'
import { fr } from './fr.ts'
import { REPORT_BY, type ReportHandle, RULES, type RuleName } from './report-options.ts'
import { DEFAULT_PERIOD, dayText, lastDay, PERIODS } from './report-period.ts'

interface ControlsProps {
  readonly report: ReportHandle
  /** The rows may be of another kind. */
  readonly withBy?: boolean
}

/** Of which time a report is, what each row stands for, and how time counts. */
export const ReportControls = ({ report, withBy = false }: ControlsProps) => (
  <div className={classes.controls}>
    <PeriodControl report={report} />
    {withBy && (
      <SegmentedControl
        aria-label={fr.by}
        value={report.by}
        onChange={value => report.change({ by: value === REPORT_BY[0] ? null : value, sort: null })}
        data={REPORT_BY.map(value => ({ value, label: fr.bys[value] }))}
      />
    )}
    <RulesControl report={report} />
  </div>
)

const PeriodControl = ({ report: { period, change } }: ControlsProps) => {
  const [from, to] = [dayText(period.from), dayText(lastDay(period))]
  return (
    <>
      <Select
        aria-label={fr.period}
        className={classes.period}
        allowDeselect={false}
        value={period.key}
        data={PERIODS.map(value => ({ value, label: fr.periods[value] }))}
        onChange={key => {
          const days = key === 'free' ? { from, to } : { from: null, to: null }
          change({ period: key === DEFAULT_PERIOD ? null : key, ...days })
        }}
      />
      {period.key === 'free' && (
        <>
          <TextInput
            type="date"
            aria-label={fr.from}
            max={to}
            value={from}
            onChange={event => change({ from: event.currentTarget.value, to })}
          />
          <TextInput
            type="date"
            aria-label={fr.to}
            min={from}
            value={to}
            onChange={event => change({ from, to: event.currentTarget.value })}
          />
        </>
      )}
    </>
  )
}

const RulesControl = ({ report: { rules, ruleNames, change } }: ControlsProps) => {
  const changed = ruleNames.filter(name => rules[name] !== RULES[name][0]).length
  return (
    <Popover position="bottom-start" width={320} shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconAdjustments size={16} />}>
          {changed === 0 ? fr.counting : `${fr.counting} (${changed})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={fr.counting}>
        <Stack gap="sm">
          {ruleNames.map(name => (
            <Select
              key={name}
              label={fr.ruleLabels[name]}
              description={fr.ruleHelp[name]}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              value={rules[name]}
              data={RULES[name].map(value => ({ value, label: choiceText(name, value) }))}
              onChange={value => change({ [name]: value === RULES[name][0] ? null : value })}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The words of one choice of a rule. */
export const choiceText = (name: RuleName, value: string): string => {
  const texts: Readonly<Record<string, string>> = fr.rules[name]
  return texts[value] ?? value
}
