import { IconCheck } from '@tabler/icons-react'
import classes from './first-run.module.css'
import { fr } from './fr.ts'

export const STEPS = ['address', 'checks', 'measures'] as const
export type Step = (typeof STEPS)[number]

/** Where one is on the way; `done`: the last step is over too. */
export const Steps = ({ current, done = false }: { readonly current: Step; readonly done?: boolean }) => {
  const at = STEPS.indexOf(current)
  return (
    <ol className={classes.steps} aria-label={fr.steps.label}>
      {STEPS.map((step, index) => {
        const isOver = index < at || (done && index === at)
        return (
          <li
            key={step}
            className={classes.step}
            data-over={isOver || undefined}
            aria-current={step === current ? 'step' : undefined}
          >
            <span className={classes.number} aria-hidden="true">
              {isOver ? <IconCheck size={14} stroke={2.4} /> : index + 1}
            </span>
            {fr.steps[step]}
          </li>
        )
      })}
    </ol>
  )
}
