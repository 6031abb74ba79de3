import { Button, VisuallyHidden } from '@mantine/core'
import { GLOBAL_STREAM, type RecordField, type RecordFields } from '@narval/contracts'
import { IconHistory, IconPencil } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { customField as words } from '../i18n/custom-field.ts'
import { shownText } from '../lib/custom-field.ts'
import { type FieldOwner, recordFieldsQuery } from '../lib/custom-field-queries.ts'
import { byGroup, originText } from '../lib/custom-field-record.ts'
import { formatDateTime } from '../lib/format.ts'
import { useHubEvent, useHubJoined } from '../lib/hub.ts'
import { externalLink } from '../lib/safe-link.ts'
import { Facts } from './facts.tsx'
import { Card } from './page.tsx'
import classes from './record-fields.module.css'
import { RecordFieldsForm } from './record-fields-form.tsx'
import { FieldHistoryDrawer } from './record-fields-history.tsx'

/** The fields of one record that the account may read, kept by the hub; undefined until they are known. */
const useRecordFields = (owner: FieldOwner): RecordFields | undefined => {
  const client = useQueryClient()
  const query = recordFieldsQuery(owner)
  const refresh = (): void => void client.invalidateQueries({ queryKey: query.queryKey })
  useHubEvent(owner.scope, GLOBAL_STREAM, ({ entities }) => {
    if (entities?.includes(owner.id)) refresh()
  })
  useHubJoined(owner.scope, refresh)
  return useQuery(query).data
}

const isWritable = ({ fields }: RecordFields): boolean => fields.some(field => field.level === 'write')
interface RecordProps extends FieldOwner {
  /** Of the record, as the history names it. */
  readonly name: string
}

/** On a record's page: its fields as facts by group, with their history; edited in place by whom may. Nothing when there is nothing to read. */
export const RecordFieldsCard = ({ scope, id, name }: RecordProps) => {
  const record = useRecordFields({ scope, id })
  const [editing, setEditing] = useState(false)
  const [history, setHistory] = useState(false)
  if (record === undefined || record.fields.length === 0) return null
  const writable = isWritable(record)
  if (editing && writable)
    return <RecordFieldsForm scope={scope} id={id} record={record} onDone={() => setEditing(false)} />
  return (
    <Card
      title={words.title}
      aside={
        <span className={classes.actions}>
          <HistoryButton onClick={() => setHistory(true)} />
          {writable && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconPencil size={15} />}
              onClick={() => setEditing(true)}
            >
              {words.edit}
            </Button>
          )}
        </span>
      }
    >
      <FieldFacts record={record} />
      <FieldHistoryDrawer
        scope={scope}
        id={id}
        name={name}
        definitions={record.fields.map(field => field.definition)}
        opened={history}
        onClose={() => setHistory(false)}
      />
    </Card>
  )
}

/** Under a record's own form: its fields, saved apart. Nothing when there is nothing to read. */
export const RecordFieldsPanel = ({ scope, id }: FieldOwner) => {
  const record = useRecordFields({ scope, id })
  if (record === undefined || record.fields.length === 0) return null
  if (isWritable(record)) return <RecordFieldsForm scope={scope} id={id} record={record} />
  return (
    <Card title={words.title} aside={words.readOnly} className={classes.panel}>
      <FieldFacts record={record} />
    </Card>
  )
}

const HistoryButton = ({ onClick }: { readonly onClick: () => void }) => (
  <Button variant="subtle" size="compact-sm" leftSection={<IconHistory size={15} />} onClick={onClick}>
    {words.history}
  </Button>
)

const FieldFacts = ({ record }: { readonly record: RecordFields }) => {
  const groups = byGroup(record)
    .map(({ group, fields }) => ({
      group,
      fields: fields.filter(field => field.origin !== 'none' || field.definition.required),
    }))
    .filter(({ fields }) => fields.length > 0)
  if (groups.length === 0) return <p className={classes.nothing}>{words.nothingFilled}</p>
  return (
    <div className={classes.groups}>
      {groups.map(({ group, fields }) => (
        <section key={group.id} aria-label={group.name}>
          <h3 className={classes.group}>{group.name}</h3>
          <Facts facts={fields.map(field => ({ label: field.definition.label, value: <FieldFact field={field} /> }))} />
        </section>
      ))}
    </div>
  )
}

const FieldFact = ({ field }: { readonly field: RecordField }) => (
  <>
    <span title={changeOf(field)}>
      {field.origin === 'none' ? <span className={classes.missing}>{words.unset}</span> : <FieldText field={field} />}
    </span>
    {(field.origin === 'default' || field.origin === 'model') && (
      <span className={classes.origin}>{originText(field)}</span>
    )}
  </>
)

const changeOf = ({ updatedAt, updatedBy }: RecordField): string | undefined =>
  updatedAt === null ? undefined : `${formatDateTime(updatedAt)}${updatedBy === null ? '' : `, ${words.by(updatedBy)}`}`

const FieldText = ({ field }: { readonly field: RecordField }): ReactNode => {
  const { definition, value } = field
  const text = shownText(definition, field.text)
  switch (definition.type) {
    case 'secret':
      return (
        <>
          <span aria-hidden="true">{words.secretSet}</span>
          <VisuallyHidden>{words.secretLabel}</VisuallyHidden>
        </>
      )
    case 'url': {
      const link = externalLink(text, ['http:', 'https:'])
      return link === null ? (
        text
      ) : (
        <a href={link} target="_blank" rel="noreferrer">
          {text}
        </a>
      )
    }
    case 'email':
      return <a href={`mailto:${encodeURI(text)}`}>{text}</a>
    case 'phone':
      return <a href={`tel:${text.replace(/[^\d+]/g, '')}`}>{text}</a>
    case 'host':
      return <Link to={`/host/${String(value)}`}>{text}</Link>
    case 'site':
      return <Link to={`/site/${String(value)}`}>{text}</Link>
    default:
      return text
  }
}
