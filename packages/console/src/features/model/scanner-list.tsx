import type { CheckKind, ModelScanner } from '@narval/contracts'
import { useState } from 'react'
import { useFieldArray, useFormState } from 'react-hook-form'
import { browserRandomBytes } from '../../lib/cipher.ts'
import { KindAdder } from '../../ui/kind-cards.tsx'
import { useScheduleDefaults } from '../../ui/use-schedule-defaults.ts'
import { fr } from './fr.ts'
import { copyOfScanner, type ModelFormHandle, newItem, newScanner } from './model-schema.ts'
import { ScannerCard } from './scanner-card.tsx'
import classes from './scanner-list.module.css'

interface ScannerListProps {
  readonly form: ModelFormHandle
  readonly readOnly: boolean
}

const MOST = 50

/** The scanners of a model in their order: a card each, opened one by one, and the button that adds one. */
export const ScannerList = ({ form, readOnly }: ScannerListProps) => {
  const { control, getValues } = form
  const { fields, append, insert, remove, move } = useFieldArray({ control, name: 'definition.scanners' })
  const { errors } = useFormState({ control, name: 'definition.scanners' })
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const defaults = useScheduleDefaults(null)
  const scanners = (): readonly ModelScanner[] => asScanners(getValues('definition.scanners'))
  const show = (item: string, open: boolean): void =>
    setOpened(before => new Set(open ? [...before, item] : [...before].filter(one => one !== item)))
  const add = (kind: CheckKind): void => {
    const item = newItem(browserRandomBytes)
    append(newScanner(kind, item, scanners()), { shouldFocus: false })
    show(item, true)
  }
  const copy = (index: number): void => {
    const scanner = scanners()[index]
    if (scanner === undefined) return
    const item = newItem(browserRandomBytes)
    insert(index + 1, copyOfScanner(scanner, item, scanners()), { shouldFocus: false })
    show(item, true)
  }
  return (
    <section className={classes.section} aria-label={fr.sections.scanners}>
      <h2 className={classes.title}>{fr.sections.scanners}</h2>
      <p className={classes.help}>{fr.sections.scannersHelp}</p>
      {fields.length > 0 && (
        <ol className={classes.list}>
          {fields.map((field, index) => (
            <ScannerCard
              key={field.id}
              form={form}
              index={index}
              last={index === fields.length - 1}
              defaults={defaults}
              open={readOnly || opened.has(field.item)}
              wrong={errors.definition?.scanners?.[index] !== undefined}
              readOnly={readOnly}
              onOpen={open => show(field.item, open)}
              onMove={by => move(index, index + by)}
              onCopy={fields.length < MOST ? () => copy(index) : null}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      )}
      {fields.length === 0 && <p className={classes.none}>{fr.noScanner}</p>}
      {!readOnly && fields.length < MOST && <KindAdder onAdd={add} label={fr.gallery} />}
    </section>
  )
}

/** The one cast: cards are made of whole scanners only (`newScanner`, or as loaded); their fields may be wrong yet. */
const asScanners = (values: unknown): readonly ModelScanner[] => (values ?? []) as readonly ModelScanner[]
