import { TagsInput } from '@mantine/core'
import { HOST_MAX_MODELS, HOST_MAX_PARENTS, HOST_MAX_TAGS, type HostChange, hostRoutes } from '@narval/contracts'
import { useState } from 'react'
import { bulk as words } from '../../i18n/bulk.ts'
import { call } from '../../lib/api.ts'
import {
  hostModelOptions,
  hostOptions,
  hostTypeOptions,
  monitoringModelOptions,
  probeOptions,
  siteOptionsFor,
} from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { BULK_TIMEOUT_MS, BulkActions, RECORD_ACTIONS } from '../../ui/bulk-actions.tsx'
import { BulkChoice, BulkField, BulkFields } from '../../ui/bulk-fields.tsx'
import type { BulkSelection } from '../../ui/data-table-selection.ts'
import { RemoteMultiSelect } from '../../ui/remote-multi-select.tsx'
import { fr } from './fr.ts'

const run = (target: BulkSelection['target'], change: HostChange, plan: boolean) =>
  call(hostRoutes.bulk, { body: { ...target, change, plan }, timeoutMs: BULK_TIMEOUT_MS })

const NOTHING: HostChange = {}

/** What can be done with several hosts at once. */
export const HostBulkActions = ({ selection }: { readonly selection: BulkSelection }) => (
  <BulkActions<HostChange>
    selection={selection}
    noun={fr.host}
    run={run}
    actions={RECORD_ACTIONS}
    nothing={NOTHING}
    fields={(change, onChange) => <HostChangeFields change={change} onChange={onChange} />}
  />
)

interface ChangeFieldsProps {
  readonly change: HostChange
  readonly onChange: (change: HostChange) => void
}

const HostChangeFields = ({ change, onChange }: ChangeFieldsProps) => {
  const { fields, bulk } = fr
  const seesProbes = useSession().can('probe_write')
  const set = (part: HostChange): void => onChange({ ...change, ...part })
  return (
    <BulkFields>
      <BulkChoice
        label={fields.siteId}
        source={siteOptionsFor.host_write}
        value={change.siteId}
        nullable={false}
        onChange={siteId => set({ siteId: siteId ?? undefined })}
      />
      <BulkChoice
        label={fields.typeId}
        source={hostTypeOptions}
        value={change.typeId}
        onChange={typeId => set({ typeId })}
      />
      <BulkChoice
        label={fields.modelId}
        source={hostModelOptions}
        value={change.modelId}
        onChange={modelId => set({ modelId })}
      />
      {seesProbes && (
        <BulkChoice
          label={fields.probeId}
          source={probeOptions}
          value={change.probeId}
          onChange={probeId => set({ probeId })}
        />
      )}
      <TagsChange
        add={change.addTags ?? []}
        remove={change.removeTags ?? []}
        onChange={(addTags, removeTags) => set({ addTags, removeTags })}
      />
      <LinksChange
        label={fields.monitoringModelIds}
        modes={[bulk.addModels, bulk.removeModels]}
        source={monitoringModelOptions}
        max={HOST_MAX_MODELS}
        onChange={(addMonitoringModelIds, removeMonitoringModelIds) =>
          set({ addMonitoringModelIds, removeMonitoringModelIds })
        }
      />
      <LinksChange
        label={fields.parentIds}
        modes={[bulk.addParents, bulk.removeParents]}
        source={hostOptions}
        max={HOST_MAX_PARENTS}
        onChange={(addParentIds, removeParentIds) => set({ addParentIds, removeParentIds })}
      />
    </BulkFields>
  )
}

type Listed<T> = T[] | undefined
const some = <T,>(values: T[]): Listed<T> => (values.length === 0 ? undefined : values)

interface TagsChangeProps {
  readonly add: readonly string[]
  readonly remove: readonly string[]
  readonly onChange: (add: Listed<string>, remove: Listed<string>) => void
}

const TagsChange = ({ add, remove, onChange }: TagsChangeProps) => {
  const [mode, setMode] = useState('keep')
  const { bulk, fields } = fr
  const adds = mode === 'add'
  return (
    <BulkField
      label={fields.tags}
      modes={[
        { value: 'keep', label: words.keep },
        { value: 'add', label: bulk.addTags },
        { value: 'remove', label: bulk.removeTags },
      ]}
      mode={mode}
      onMode={next => {
        setMode(next)
        onChange(undefined, undefined)
      }}
    >
      {mode !== 'keep' && (
        <TagsInput
          aria-label={fields.tags}
          maxTags={HOST_MAX_TAGS}
          maxLength={40}
          value={[...(adds ? add : remove)]}
          onChange={tags => (adds ? onChange(some(tags), undefined) : onChange(undefined, some(tags)))}
        />
      )}
    </BulkField>
  )
}

interface LinksChangeProps {
  readonly label: string
  /** Names of adding and of taking away. */
  readonly modes: readonly [string, string]
  readonly source: typeof hostOptions
  readonly max: number
  readonly onChange: (add: Listed<number>, remove: Listed<number>) => void
}

const LinksChange = ({ label, modes, source, max, onChange }: LinksChangeProps) => {
  const [mode, setMode] = useState('keep')
  const [ids, setIds] = useState<number[]>([])
  const tell = (chosen: string, values: number[]): void => {
    setIds(values)
    if (chosen === 'add') onChange(some(values), undefined)
    else onChange(undefined, chosen === 'remove' ? some(values) : undefined)
  }
  return (
    <BulkField
      label={label}
      modes={[
        { value: 'keep', label: words.keep },
        { value: 'add', label: modes[0] },
        { value: 'remove', label: modes[1] },
      ]}
      mode={mode}
      onMode={next => {
        setMode(next)
        tell(next, next === 'keep' ? [] : ids)
      }}
    >
      {mode !== 'keep' && (
        <RemoteMultiSelect
          label={label}
          quiet
          source={source}
          max={max}
          values={ids}
          onChange={values => tell(mode, values)}
        />
      )}
    </BulkField>
  )
}
