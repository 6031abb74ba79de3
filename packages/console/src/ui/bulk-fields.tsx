import { NativeSelect, NumberInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { bulk as words } from '../i18n/bulk.ts'
import type { OptionSource } from '../lib/option-source.ts'
import classes from './bulk-dialog.module.css'
import { RemoteSelect } from './remote-select.tsx'

/** What becomes of one property of many records: undefined stays, null is emptied. */
export type BulkValue<T> = T | null | undefined

export const BulkFields = ({ children }: { readonly children: ReactNode }) => (
  <div className={classes.fields}>{children}</div>
)

interface BulkFieldProps {
  readonly label: string
  /** What to do with it, by value. */
  readonly modes: readonly { readonly value: string; readonly label: string }[]
  readonly mode: string
  readonly onMode: (mode: string) => void
  readonly children?: ReactNode
}

/** One property: its name, what becomes of it, and the value that takes. */
export const BulkField = ({ label, modes, mode, onMode, children }: BulkFieldProps) => {
  const id = useId()
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <NativeSelect
        id={id}
        size="sm"
        data={[...modes]}
        value={mode}
        onChange={event => onMode(event.currentTarget.value)}
      />
      <div>{children}</div>
    </div>
  )
}

interface BulkChoiceProps {
  readonly label: string
  readonly source: OptionSource
  readonly value: BulkValue<number>
  readonly onChange: (value: BulkValue<number>) => void
  /** It may be emptied. */
  readonly nullable?: boolean
}

const MODES = ['keep', 'replace', 'empty'] as const

/** A property that is one of the things of a list. */
export const BulkChoice = ({ label, source, value, onChange, nullable = true }: BulkChoiceProps) => {
  const [mode, setMode] = useState<(typeof MODES)[number]>('keep')
  return (
    <BulkField
      label={label}
      modes={MODES.filter(one => nullable || one !== 'empty').map(one => ({ value: one, label: words[one] }))}
      mode={mode}
      onMode={next => {
        const chosen = MODES.find(one => one === next) ?? 'keep'
        setMode(chosen)
        onChange(chosen === 'empty' ? null : undefined)
      }}
    >
      {mode === 'replace' && (
        <RemoteSelect
          label={label}
          quiet
          required
          source={source}
          value={value ?? null}
          onChange={id => onChange(id ?? undefined)}
        />
      )}
    </BulkField>
  )
}

interface BulkPickProps<T extends string> {
  readonly label: string
  readonly choices: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T | undefined) => void
}

/** A property that takes one of a few values. */
export const BulkPick = <T extends string>({ label, choices, onChange }: BulkPickProps<T>) => {
  const [picked, setPicked] = useState('')
  return (
    <BulkField
      label={label}
      modes={[{ value: '', label: words.keep }, ...choices]}
      mode={picked}
      onMode={next => {
        setPicked(next)
        onChange(choices.find(choice => choice.value === next)?.value)
      }}
    />
  )
}

interface BulkNumberProps {
  readonly label: string
  readonly unit?: string
  readonly min: number
  readonly max: number
  /** What « emptied » means. */
  readonly emptyLabel: string
  readonly value: BulkValue<number>
  readonly onChange: (value: BulkValue<number>) => void
}

/** A whole number that may go back to what is inherited. */
export const BulkNumber = ({ label, unit, min, max, emptyLabel, value, onChange }: BulkNumberProps) => {
  const [mode, setMode] = useState('keep')
  return (
    <BulkField
      label={label}
      modes={[
        { value: 'keep', label: words.keep },
        { value: 'replace', label: words.replace },
        { value: 'empty', label: emptyLabel },
      ]}
      mode={mode}
      onMode={next => {
        setMode(next)
        onChange(next === 'empty' ? null : undefined)
      }}
    >
      {mode === 'replace' && (
        <NumberInput
          aria-label={label}
          min={min}
          max={max}
          allowDecimal={false}
          {...(unit !== undefined && { suffix: ` ${unit}` })}
          value={value ?? ''}
          onChange={next => onChange(typeof next === 'number' ? next : undefined)}
        />
      )}
    </BulkField>
  )
}
