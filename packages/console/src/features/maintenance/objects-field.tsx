import { Button } from '@mantine/core'
import { metricRoutes, SELECT2_PAGE } from '@narval/contracts'
import { call } from '../../lib/api.ts'
import type { OptionSource } from '../../lib/option-source.ts'
import { hostOptions, siteOptions } from '../../lib/option-sources.ts'
import { RemoteMultiSelect } from '../../ui/remote-multi-select.tsx'
import { fr } from './fr.ts'
import classes from './maintenance.module.css'

const MAX = 200

const metricName = ({ hostName, name }: { readonly hostName: string; readonly name: string }): string =>
  `${hostName}\u202f: ${name}`
/** Metrics, with their host. */
export const metricOptions: OptionSource = {
  key: 'metric',
  search: async (term, signal) => {
    const body = {
      length: SELECT2_PAGE,
      search: { value: term },
      columns: [{ data: 'hostName' }, { data: 'name' }],
      order: [
        { column: 0, dir: 'asc' as const },
        { column: 1, dir: 'asc' as const },
      ],
    }
    const page = await call(metricRoutes.datatable.put, { body, signal })
    return {
      results: page.data.map(metric => ({ id: metric.id, text: metricName(metric) })),
      pagination: { more: page.recordsFiltered > page.data.length },
    }
  },
  nameOf: async (id, signal) => metricName(await call(metricRoutes.get, { params: { id }, signal })),
}

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
      {select('sites', fr.sites, siteOptions, error)}
      {select('hosts', fr.hosts, hostOptions)}
      {select('metrics', fr.metrics, metricOptions)}
    </>
  )
}
