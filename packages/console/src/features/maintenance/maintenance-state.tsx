import type { MaintenanceState } from '@narval/contracts'
import { IconAlertTriangle, IconCheck, IconClock, IconHourglass, IconTool } from '@tabler/icons-react'
import classes from '../../ui/maintenance-mark.module.css'
import { fr } from './fr.ts'

const ICONS = { running: IconTool, armed: IconHourglass, planned: IconClock, over: IconCheck } as const

/** The icon of a state; of one that left something broken, a warning. */
export const StateIcon = ({ state, broken }: { readonly state: MaintenanceState; readonly broken: number | null }) => {
  const Icon = state === 'over' && (broken ?? 0) > 0 ? IconAlertTriangle : ICONS[state]
  return <Icon size={14} stroke={1.8} aria-hidden="true" />
}

/** Icon, word and colour of where a maintenance stands. */
export const StateBadge = ({ state }: { readonly state: MaintenanceState }) => (
  <span className={classes.mark} data-state={state}>
    <StateIcon state={state} broken={null} />
    {fr.states[state]}
  </span>
)
