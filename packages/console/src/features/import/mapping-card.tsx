import { NativeSelect } from '@mantine/core'
import type { ImportFile } from '@narval/contracts'
import { formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import classes from './import.module.css'

/** What was understood of the file. */
export const UnderstoodCard = ({ file }: { readonly file: ImportFile }) => {
  const facts = [
    [fr.facts.name, file.name],
    [fr.facts.encoding, fr.encodings[file.encoding] ?? file.encoding],
    [fr.facts.delimiter, fr.delimiters[file.delimiter] ?? file.delimiter],
    [fr.facts.rows, formatNumber(file.rows)],
    [fr.facts.columns, formatNumber(file.columns.length)],
  ]
  return (
    <Card title={fr.understood}>
      <dl className={classes.facts}>
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

interface MappingCardProps {
  readonly file: ImportFile
  readonly fields: readonly string[]
  readonly disabled: boolean
  readonly onChange: (fields: readonly string[]) => void
}

/** Each column with its samples and the field that it fills; a field chosen twice leaves its first column. */
export const MappingCard = ({ file, fields, disabled, onChange }: MappingCardProps) => {
  const missing = file.fields.filter(field => field.required && !fields.includes(field.field))
  const choose = (column: number, field: string): void =>
    onChange(fields.map((one, at) => (at === column ? field : one === field ? '' : one)))
  return (
    <Card title={fr.mappingTitle}>
      <p className={classes.hint}>
        {fr.mappingHelp} {file.remembered && fr.remembered}
      </p>
      <table className={classes.table} data-stacked>
        <thead>
          <tr>
            <th scope="col">{fr.columnHeader}</th>
            <th scope="col">{fr.samples}</th>
            <th scope="col">{fr.fieldHeader}</th>
          </tr>
        </thead>
        <tbody>
          {file.columns.map((column, at) => {
            const title = column.header === '' ? fr.unnamed(at + 1) : column.header
            const field = file.fields.find(one => one.field === fields[at])
            return (
              <tr key={at}>
                <th scope="row">{title}</th>
                <td className={classes.samples}>
                  {column.sample.map(one => (one === '' ? fr.emptySample : one)).join(' · ')}
                </td>
                <td>
                  <NativeSelect
                    aria-label={fr.fieldFor(title)}
                    value={fields[at] ?? ''}
                    disabled={disabled}
                    description={field?.help === '' ? undefined : field?.help}
                    inputWrapperOrder={['label', 'input', 'description', 'error']}
                    onChange={event => choose(at, event.currentTarget.value)}
                    data={[
                      { value: '', label: fr.ignored },
                      ...file.fields.map(({ field: value, label, required }) => ({
                        value,
                        label: required ? `${label} *` : label,
                      })),
                    ]}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {missing.length > 0 && (
        <p className={classes.warning} role="status">
          {fr.missing(missing.map(field => field.label))}
        </p>
      )}
    </Card>
  )
}
