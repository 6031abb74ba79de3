import { Button } from '@mantine/core'
import type { OptionSource } from '../../lib/option-source.ts'
import { coveredMetricOptions, hostOptionsFor, siteOptionsFor } from '../../lib/option-sources.ts'
import { RemoteMultiSelect } from '../../ui/remote-multi-select.tsx'
import { fr } from './fr.ts'
import classes from './maintenance.module.css'

const MAX = 200

export interface ChosenObjects {
  readonly sites: readonly number[]
  readonly hosts: readonly number[]
  readonly metrics: readonly number[]
}
interface Named {
  readonly id: number
  readonly name: string
}

interface ObjectsFieldProps {
  readonly value: ChosenObjects
  readonly known: Readonly<Record<keyof ChosenObjects, readonly Named[]>>
  readonly onChange: (value: ChosenObjects) => void
  readonly error: string | undefined
  /** More than the form can show: their number, kept unless others are chosen. */
  readonly kept: number | null
  readonly onReplace: () => void
}

/** What a maintenance covers: sites, hosts, metrics, in one place. */
export const ObjectsField = ({ value, known, onChange, error, kept, onReplace }: ObjectsFieldProps) => {
  if (kept !== null)
    return (
      <div>
        <p className={classes.quiet}>{fr.keptObjects(kept)}</p>
        <Button variant="default" size="compact-sm" onClick={onReplace}>
          {fr.changeObjects}
        </Button>
      </div>
    )
  const select = (kind: keyof ChosenObjects, label: string, source: OptionSource, own?: string) => (
    <RemoteMultiSelect
      label={label}
      source={source}
      known={known[kind]}
      values={value[kind]}
      onChange={ids => onChange({ ...value, [kind]: ids })}
      max={MAX}
      error={own}
    />
  )
  return (
    <>
      {select('sites', fr.sites, siteOptionsFor.incident_write, error)}
      {select('hosts', fr.hosts, hostOptionsFor.incident_write)}
      {select('metrics', fr.metrics, coveredMetricOptions)}
    </>
  )
}
