import { NumberInput, Switch, TextInput } from '@mantine/core'
import type { SettingValue } from '@narval/contracts'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { NNBSP } from '../../lib/format.ts'
import { FIELD_ORDER } from '../../ui/form-fields.tsx'
import { InheritedField } from '../../ui/inherited-field.tsx'
import { fr } from './fr.ts'
import classes from './parameter.module.css'
import { type Value, valueText } from './parameter-draft.ts'

interface FieldProps {
  readonly setting: SettingValue
  readonly value: Value
  /** It is not the default, by somebody's choice. */
  readonly isOwn: boolean
  /** It is as it was saved. */
  readonly isSaved: boolean
  readonly fault: string | undefined
  /** Null: back to the default. */
  readonly onChange: (value: Value | null) => void
}

/** One setting: its field by its type, its bounds, and whether it is the default. */
export const ParameterField = ({ setting, value, isOwn, isSaved, fault, onChange }: FieldProps) => {
  const { key, label, updatedBy } = setting
  const place = useRef<HTMLDivElement>(null)
  const isAsked = useLocation().hash === `#${key}`
  useEffect(() => {
    if (!isAsked) return
    place.current?.scrollIntoView({ block: 'center' })
    place.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [isAsked])
  const otherwise = valueText(setting, setting.default)
  const changed = isSaved && updatedBy !== null ? `${fr.changedBy(updatedBy)}${otherwise}` : fr.isChanged(otherwise)
  return (
    <div ref={place} id={key} className={classes.field} data-asked={isAsked || undefined}>
      <InheritedField
        label={label}
        origin={isOwn ? changed : fr.byDefault}
        own={isOwn}
        onRevert={() => onChange(null)}
        revert={fr.revert}
      >
        <Input setting={setting} value={value} fault={fault} onChange={onChange} />
      </InheritedField>
    </div>
  )
}

const Input = ({ setting, value, fault, onChange }: Omit<FieldProps, 'isOwn' | 'isSaved'>) => {
  const { type, label, help, unit, min, max } = setting
  if (type === 'boolean')
    return (
      <Switch
        label={label}
        description={help}
        error={fault}
        checked={value === true}
        withThumbIndicator={false}
        onChange={event => onChange(event.currentTarget.checked)}
      />
    )
  if (type === 'integer')
    return (
      <NumberInput
        label={label}
        description={min === null || max === null ? help : `${help} ${fr.between(min, max, unit)}`}
        inputWrapperOrder={FIELD_ORDER}
        error={fault}
        value={typeof value === 'boolean' ? '' : value}
        suffix={unit === '' ? '' : `${NNBSP}${unit}`}
        thousandSeparator={NNBSP}
        decimalSeparator=","
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        hideControls
        inputMode="numeric"
        onChange={next => onChange(typeof next === 'number' ? next : '')}
      />
    )
  return (
    <TextInput
      label={label}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      error={fault}
      value={typeof value === 'string' ? value : ''}
      maxLength={max ?? undefined}
      autoComplete="off"
      inputMode={type === 'url' ? 'url' : 'text'}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
