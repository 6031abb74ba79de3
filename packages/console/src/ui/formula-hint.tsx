import { FIELD_PREFIX } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { threshold as words } from '../i18n/threshold.ts'
import { isNumeric } from '../lib/custom-field.ts'
import { readableDefinitionsQuery } from '../lib/custom-field-queries.ts'
import classes from './formula-hint.module.css'

const SHOWN = 6

/** That a threshold may be a formula, and over which fields of the equipment; nothing where there is no such field. */
export const FormulaHint = () => {
  const { data } = useQuery(readableDefinitionsQuery)
  const fields = (data ?? []).filter(({ scope, type }) => scope === 'host' && isNumeric(type))
  const [first] = fields
  if (first === undefined) return null
  return (
    <p className={classes.hint}>
      {words.formulaHelp} <code>{words.formulaExample(`${FIELD_PREFIX}${first.key}`)}</code> {words.variables}{' '}
      {fields.slice(0, SHOWN).map(({ key, label }, index) => (
        <span key={key}>
          {index > 0 && ', '}
          <code>{`${FIELD_PREFIX}${key}`}</code> ({label})
        </span>
      ))}
      {fields.length > SHOWN && '…'}
    </p>
  )
}
