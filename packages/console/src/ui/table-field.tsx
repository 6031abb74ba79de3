import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { type Control, type FieldPath, type FieldValues, get, useFieldArray, useFormState } from 'react-hook-form'
import { scanner as words } from '../i18n/scanner.ts'
import { arrayAt, newRow } from './field-path.ts'
import classes from './table-field.module.css'

interface TableFieldProps<V extends FieldValues, O> {
  readonly control: Control<V, unknown, O>
  readonly name: FieldPath<V>
  readonly label: string
  readonly help?: string | undefined
  readonly disabled?: boolean | undefined
  readonly required?: boolean | undefined
  /** Words of the button that adds a row. */
  readonly add: string
  readonly empty: Readonly<Record<string, unknown>>
  readonly columns: readonly {
    readonly key: string
    readonly label: string
    /** The field of this column in the row at this path. */
    readonly render: (row: string) => ReactNode
  }[]
}

/** So many columns share a line whatever its width. */
const FEW = 4

/** What is wrong with the list as a whole; what is wrong in a row stands at its cell. */
const listError = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  const whole: unknown = 'root' in error ? error.root : error
  const message: unknown = typeof whole === 'object' && whole !== null && 'message' in whole ? whole.message : undefined
  return typeof message === 'string' ? message : undefined
}

/** A list of small records, one line each, that grows and shrinks. */
export const TableField = <V extends FieldValues, O>(props: TableFieldProps<V, O>) => {
  const { control, name, label, help, disabled, required, add, empty, columns } = props
  const { fields, append, remove } = useFieldArray({ control, name: arrayAt(name) })
  const { errors } = useFormState({ control, name })
  const error = listError(get(errors, name))
  const errorId = useId()
  return (
    <fieldset
      className={classes.table}
      disabled={disabled}
      aria-describedby={error === undefined ? undefined : errorId}
    >
      <legend className={classes.legend}>
        {label}
        {required === true && <span className={classes.error}> *</span>}
      </legend>
      {help !== undefined && <p className={classes.help}>{help}</p>}
      {fields.length === 0 && <p className={classes.help}>{words.noRow}</p>}
      {fields.map((row, index) => (
        <div key={row.id} className={classes.row}>
          <div className={classes.cells} data-few={columns.length <= FEW || undefined}>
            {columns.map(column => (
              <div key={column.key}>{column.render(`${name}.${index}`)}</div>
            ))}
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`${words.removeRow} ${index + 1}`}
            disabled={disabled}
            onClick={() => remove(index)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      {error !== undefined && (
        <p className={classes.error} id={errorId} role="alert">
          {error}
        </p>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        disabled={disabled}
        onClick={() => append(newRow<V>(empty))}
      >
        {add}
      </Button>
    </fieldset>
  )
}
