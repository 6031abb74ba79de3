import type { ImportPlan, ImportRow } from '@narval/contracts'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import classes from './import.module.css'

/** Numbers of rows, each under its word. */
export const Counts = ({ counts }: { readonly counts: readonly (readonly [string, number, boolean?])[] }) => (
  <dl className={classes.counts}>
    {counts.map(([word, count, bad = false]) => (
      <div key={word} data-bad={(bad && count > 0) || undefined}>
        <dt>{word}</dt>
        <dd>{formatNumber(count)}</dd>
      </div>
    ))}
  </dl>
)

/** What the import would do: counts, errors by line, and the first rows as they would be. */
export const PlanCard = ({ plan, children }: { readonly plan: ImportPlan; readonly children?: ReactNode }) => (
  <Card title={fr.planTitle} arrives>
    {children}
    <Counts
      counts={[
        [fr.counts.create, plan.create],
        [fr.counts.update, plan.update],
        [fr.counts.unchanged, plan.unchanged],
        [fr.counts.errors, plan.errorCount, true],
      ]}
    />
    {plan.errorCount === 0 ? (
      <p className={classes.clean} role="status">
        {plan.create + plan.update === 0 ? fr.nothingToDo : fr.clean}
      </p>
    ) : (
      <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={fr.faulty(plan.errorCount)}>
        {plan.errorCount > plan.errors.length && <p>{fr.firstFaults(plan.errors.length)}</p>}
      </Notice>
    )}
    {plan.newTypes.length > 0 && <p className={classes.hint}>{fr.newTypes(plan.newTypes)}</p>}
    {plan.errors.length > 0 && <ErrorTable errors={plan.errors} />}
    {plan.sample.length > 0 && <PreviewTable rows={plan.sample} />}
  </Card>
)

const ErrorTable = ({ errors }: { readonly errors: ImportPlan['errors'] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard.
  <section className={classes.scroll} aria-label={fr.errorsCaption} tabIndex={0}>
    <table className={classes.table}>
      <caption>{fr.errorsCaption}</caption>
      <thead>
        <tr>
          <th scope="col" className={classes.number}>
            {fr.line}
          </th>
          <th scope="col">{fr.column}</th>
          <th scope="col">{fr.error}</th>
        </tr>
      </thead>
      <tbody>
        {errors.map(({ line, column, message }, at) => (
          <tr key={at}>
            <td className={classes.number}>{formatNumber(line)}</td>
            <td>{column}</td>
            <td>{message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const PreviewTable = ({ rows }: { readonly rows: readonly ImportRow[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard.
  <section className={classes.scroll} aria-label={fr.preview} tabIndex={0}>
    <table className={classes.table}>
      <caption>{fr.preview}</caption>
      <thead>
        <tr>
          <th scope="col" className={classes.number}>
            {fr.line}
          </th>
          <th scope="col">{fr.what}</th>
          <th scope="col">{fr.action}</th>
          <th scope="col">{fr.changes}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.line}>
            <td className={classes.number}>{formatNumber(row.line)}</td>
            <td>{row.name}</td>
            <td>{fr.actions[row.action]}</td>
            <td>
              <Changes row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const Changes = ({ row }: { readonly row: ImportRow }) => (
  <ul className={classes.changes}>
    {row.changes.map(({ label, before, after }) => (
      <li key={label}>
        <span className={classes.label}>{label}</span>{' '}
        {row.action === 'update' && (
          <>
            <del>{before === '' ? fr.nothing : before}</del> <span className={classes.hint}>{fr.becomes}</span>{' '}
          </>
        )}
        <ins>{after === '' ? fr.nothing : after}</ins>
      </li>
    ))}
  </ul>
)
