import { Checkbox, Select, TextInput } from '@mantine/core'
import { type ApproveInput, type DiscoveryFinding, HOST_MAX_MODELS, hostRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { monitoringModelOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { RemoteMultiSelect } from '../../ui/remote-multi-select.tsx'
import classes from './discovery.module.css'
import { fr } from './fr.ts'

const { approve: words } = fr
/** Findings that are corrected one by one; more are made as they are proposed. */
const SHOWN = 50

export type Correction = Omit<ApproveInput['items'][number], 'findingId'>

interface CorrectionsProps {
  readonly findings: readonly DiscoveryFinding[]
  readonly corrections: ReadonlyMap<number, Correction>
  readonly onChange: (id: number, correction: Correction) => void
}

/** What is proposed for each finding, to be corrected. */
export const Corrections = ({ findings, corrections, onChange }: CorrectionsProps) => {
  const types = useQuery({ queryKey: ['host-types'], queryFn: ({ signal }) => call(hostRoutes.types, { signal }) })
  const choices = [
    { value: '', label: words.noType },
    ...(types.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  return (
    <>
      <ul className={classes.corrections}>
        {findings.slice(0, SHOWN).map(finding => (
          <CorrectionRow
            key={finding.id}
            finding={finding}
            correction={corrections.get(finding.id) ?? {}}
            types={choices}
            onChange={correction => onChange(finding.id, correction)}
          />
        ))}
      </ul>
      {findings.length > SHOWN && <p className={classes.help}>{words.more(findings.length - SHOWN)}</p>}
    </>
  )
}

interface CorrectionRowProps {
  readonly finding: DiscoveryFinding
  readonly correction: Correction
  readonly types: { value: string; label: string }[]
  readonly onChange: (correction: Correction) => void
}

const CorrectionRow = ({ finding, correction, types, onChange }: CorrectionRowProps) => {
  const { address, name, role, proposal } = finding
  const readsModels = useSession().can('scanner_read')
  const typeId = correction.typeId === undefined ? proposal.typeId : correction.typeId
  const typed = correction.name ?? name
  return (
    <li className={classes.correction}>
      <div className={classes.correctionHead}>
        <strong className={classes.address}>{address}</strong>
        <span>{fr.roles[role]}</span>
      </div>
      <TextInput
        aria-label={words.nameOf(address)}
        placeholder={words.name}
        value={typed}
        maxLength={120}
        error={typed.trim() === ''}
        onChange={event => onChange({ name: event.currentTarget.value })}
      />
      <Select
        aria-label={words.typeOf(address)}
        data={types}
        value={typeId === null ? '' : String(typeId)}
        allowDeselect={false}
        onChange={value => onChange({ typeId: value === null || value === '' ? null : Number(value) })}
      />
      <div className={classes.correctionWide}>
        <RemoteMultiSelect
          quiet
          label={words.modelsOf(address)}
          placeholder={words.models}
          source={monitoringModelOptions}
          known={proposal.monitoringModels}
          values={correction.monitoringModelIds ?? proposal.monitoringModels.map(({ id }) => id)}
          onChange={monitoringModelIds => onChange({ monitoringModelIds })}
          max={HOST_MAX_MODELS}
          disabled={!readsModels}
        />
      </div>
      {proposal.parent !== null && (
        <Checkbox
          className={classes.correctionWide}
          label={words.parent(proposal.parent.name, proposal.parent.source)}
          checked={correction.parentIds === undefined}
          onChange={event =>
            // Left out: what is proposed; none at all: none.
            onChange({ parentIds: event.currentTarget.checked ? undefined : [] })
          }
        />
      )}
    </li>
  )
}
