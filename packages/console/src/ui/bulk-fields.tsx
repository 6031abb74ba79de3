import { NativeSelect } from '@mantine/core'
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
