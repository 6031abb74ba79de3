import type { ReactNode } from 'react'
import { catalogue as words } from '../i18n/catalogue.ts'
import classes from './catalogue.module.css'

interface IconChoiceProps<I extends string> {
  readonly icons: readonly I[]
  /** What each shows, for those who choose one without seeing it. */
  readonly names: Readonly<Record<I, string>>
  readonly draw: (icon: I) => ReactNode
  readonly value: I
  readonly onChange: (icon: I) => void
}

/** One icon among a few. */
export const IconChoice = <I extends string>({ icons, names, draw, value, onChange }: IconChoiceProps<I>) => (
  <fieldset className={classes.icons}>
    <legend>{words.icon}</legend>
    {icons.map(icon => (
      <label key={icon} className={classes.choice} title={names[icon]}>
        <input
          type="radio"
          name="icon"
          aria-label={names[icon]}
          checked={value === icon}
          onChange={() => onChange(icon)}
        />
        {draw(icon)}
      </label>
    ))}
  </fieldset>
)
