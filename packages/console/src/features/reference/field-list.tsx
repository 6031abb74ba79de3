import classes from './field-list.module.css'
import type { Field } from './field-tree.ts'
import { fr } from './fr.ts'
import { schemaWords } from './schema-words.ts'

interface FieldListProps {
  readonly fields: readonly Field[]
  /** What is sent says what must be there; what is answered, what may be missing. */
  readonly sent: boolean
  readonly depth?: number
}

/** Fields as a tree: those of the first objects are open, deeper ones open on demand. */
export const FieldList = ({ fields, sent, depth = 0 }: FieldListProps) => (
  <ul className={classes.list} data-depth={depth}>
    {fields.map(field => (
      <li key={field.name} className={classes.field}>
        <div className={classes.row}>
          <code className={classes.name}>{field.name}</code>
          <FieldFacts field={field} sent={sent} />
          {field.description !== '' && <p className={classes.description}>{field.description}</p>}
        </div>
        {field.children.length > 0 && (
          <details className={classes.nested} open={depth === 0 && field.children.length <= OPEN_MAX}>
            <summary className={classes.summary}>
              {fr.nested(field.children.length)} <span className={classes.of}>de {field.name}</span>
            </summary>
            <FieldList fields={field.children} sent={sent} depth={depth + 1} />
          </details>
        )}
      </li>
    ))}
  </ul>
)

/** More fields than this are opened by hand. */
const OPEN_MAX = 40

/** The value itself, when it has no name: a body that is a list, a free record. */
export const ValueTree = ({ field, sent }: { readonly field: Field; readonly sent: boolean }) => (
  <>
    {!isPlainObject(field) && (
      <div className={classes.root}>
        <FieldFacts field={field} sent={sent} bare />
      </div>
    )}
    {field.children.length > 0 && <FieldList fields={field.children} sent={sent} />}
  </>
)

/** Its fields say what it is. */
const isPlainObject = ({ type, children, limits }: Field): boolean =>
  type === schemaWords.types.object && children.length > 0 && limits.length === 0

interface FactsProps {
  readonly field: Field
  readonly sent: boolean
  /** Nothing is required of, or missing from, the whole. */
  readonly bare?: boolean
}

const FieldFacts = ({ field, sent, bare = false }: FactsProps) => (
  <div className={classes.facts}>
    <p className={classes.line}>
      <span className={classes.type}>{field.nullable ? `${field.type} ${fr.nullable}` : field.type}</span>
      {!bare && sent && field.required && <span className={classes.required}>{fr.required}</span>}
      {!bare && !sent && !field.required && <span className={classes.limit}>{fr.optional}</span>}
      {[...field.limits, ...(sent && field.initial !== null ? [fr.initial(field.initial)] : [])].map(limit => (
        <span key={limit} className={classes.limit}>
          {limit}
        </span>
      ))}
    </p>
    {field.values.length > 0 && <Codes label={fr.values} codes={field.values} />}
    {field.patterns.length > 0 && <Codes label={fr.pattern} codes={field.patterns} />}
  </div>
)

const Codes = ({ label, codes }: { readonly label: string; readonly codes: readonly string[] }) => (
  <p className={classes.codes}>
    {label}
    {codes.map(code => (
      <code key={code} className={classes.code}>
        {code}
      </code>
    ))}
  </p>
)
