import { ActionIcon, Button, Input, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import classes from './definition-form.module.css'
import type { DefinitionOutput, DefinitionValues } from './definition-values.ts'
import { fr } from './fr.ts'
import { SortableList } from './sortable-list.tsx'

interface ChoiceRow {
  readonly id: number
  readonly text: string
}
const { form: words } = fr

const textsOf = (rows: readonly ChoiceRow[]): string[] => rows.map(row => row.text.trim()).filter(text => text !== '')
const rowsOf = (choices: readonly string[], firstId: number): ChoiceRow[] =>
  choices.map((text, index) => ({ id: firstId + index, text }))

interface ChoiceListProps {
  readonly control: Control<DefinitionValues, unknown, DefinitionOutput>
}

/** The choices of a field, in the order in which they are offered. */
export const ChoiceListField = ({ control }: ChoiceListProps) => {
  const { field, fieldState } = useController({ control, name: 'choices' })
  const value = field.value ?? []
  const [rows, setRows] = useState(() => rowsOf(value.length === 0 ? [''] : value, 1))
  const nextId = useRef(rows.length + 1)
  const box = useRef<HTMLDivElement>(null)
  const [focus, setFocus] = useState<number | null>(null)

  // The form was loaded again: show its choices, unless they are those already shown.
  useEffect(() => {
    setRows(shown => {
      if (JSON.stringify(textsOf(shown)) === JSON.stringify(value)) return shown
      nextId.current += value.length
      return rowsOf(value, nextId.current - value.length)
    })
  }, [value])
  useEffect(() => {
    if (focus !== null) box.current?.querySelector<HTMLInputElement>(`[data-choice="${focus}"]`)?.focus()
  }, [focus])

  const change = (next: readonly ChoiceRow[]): void => {
    setRows([...next])
    field.onChange(textsOf(next))
  }
  const addAfter = (index: number): void => {
    const id = nextId.current
    nextId.current += 1
    change(rows.toSpliced(index + 1, 0, { id, text: '' }))
    setFocus(id)
  }
  return (
    <Input.Wrapper
      label={words.fields.choices}
      description={words.help.choices}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      error={fieldState.error === undefined ? undefined : errorOf(fieldState.error)}
      withAsterisk
      labelElement="div"
    >
      <div ref={box} className={classes.choices}>
        <SortableList
          label={words.fields.choices}
          items={rows}
          nameOf={row => (row.text === '' ? words.newChoice : row.text)}
          onOrder={ids => change(ids.flatMap(id => rows.find(row => row.id === id) ?? []))}
          render={row => {
            const index = rows.indexOf(row)
            return (
              <span className={classes.choice}>
                <TextInput
                  size="sm"
                  data-choice={row.id}
                  aria-label={words.choiceName(index)}
                  value={row.text}
                  maxLength={80}
                  autoComplete="off"
                  onBlur={field.onBlur}
                  onChange={event =>
                    change(
                      rows.map(other => (other.id === row.id ? { ...row, text: event.currentTarget.value } : other)),
                    )
                  }
                  onKeyDown={event => {
                    if (event.key !== 'Enter') return
                    event.preventDefault()
                    addAfter(index)
                  }}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={words.removeChoice(row.text === '' ? words.choiceName(index) : row.text)}
                  onClick={() => change(rows.filter(other => other.id !== row.id))}
                >
                  <IconX size={16} />
                </ActionIcon>
              </span>
            )
          }}
        />
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={15} />}
          onClick={() => addAfter(rows.length - 1)}
        >
          {words.addChoice}
        </Button>
      </div>
    </Input.Wrapper>
  )
}

/** A list's error may be on one of its members: say the first. */
const errorOf = (error: unknown): string => {
  const members: unknown[] = Array.isArray(error) ? error : [error]
  const found = members.find(
    (member): member is { readonly message: string } =>
      typeof member === 'object' && member !== null && 'message' in member && typeof member.message === 'string',
  )
  return found?.message ?? ''
}
