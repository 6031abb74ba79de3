import { SegmentedControl } from '@mantine/core'
import { HOST_STATES } from '@narval/contracts'
import { useSearchParams } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import { hostTypeOptions, siteOptions } from '../../lib/option-sources.ts'
import type { TableFilter } from '../../ui/data-table-types.ts'
import { HostStateIcon } from '../../ui/severity.tsx'
import { fr } from './fr.ts'

/** The same filters whether hosts are seen as a grid or as a list. */
export const STATUS_FILTERS: readonly TableFilter[] = [
  {
    name: 'state',
    label: fr.filters.state,
    choices: HOST_STATES.map(state => ({
      value: state,
      label: common.hostState[state],
      icon: <HostStateIcon state={state} />,
    })),
  },
  { name: 'siteId', label: fr.filters.site, source: siteOptions },
  { name: 'typeId', label: fr.filters.type, source: hostTypeOptions },
]

/** A choice of the page's own, held in the URL; its default is not written there. */
export const useChoice = (name: string): readonly [string | null, (value: string | null) => void] => {
  const [params, setParams] = useSearchParams()
  const choose = (value: string | null): void =>
    setParams(
      before => {
        const next = new URLSearchParams(before)
        next.delete('page')
        if (value === null) next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return [params.get(name), choose]
}

/** « Grille | Liste ». */
export const ModeSwitch = () => {
  const [mode, setMode] = useChoice('mode')
  return (
    <SegmentedControl
      size="sm"
      aria-label={fr.modeLabel}
      value={mode === 'list' ? 'list' : 'grid'}
      onChange={value => setMode(value === 'list' ? value : null)}
      data={(['grid', 'list'] as const).map(value => ({ value, label: fr.modes[value] }))}
    />
  )
}
