import { type ModelPlan, type MonitoringModel, modelDefinition, monitoringModelRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { call } from '../../lib/api.ts'
import { readableDefinitionsQuery } from '../../lib/custom-field-queries.ts'
import { useSession } from '../../lib/session.ts'
import { useEntityForm } from '../../ui/entity-form.ts'
import { TextField } from '../../ui/form-fields.tsx'
import { FormSection, FormShell, Wide } from '../../ui/form-shell.tsx'
import { fr } from './fr.ts'
import { modelChanges } from './model-diff.ts'
import { ModelFields } from './model-fields.tsx'
import { mergeModels } from './model-merge.ts'
import { type DoneChange, isIdle, updateOf } from './model-queries.ts'
import { type ModelFormOutput, modelForm, NEW_MODEL, readNewer, valuesOf } from './model-schema.ts'
import { usePlanQuestion } from './plan-dialog.tsx'
import { ScannerList } from './scanner-list.tsx'

interface ModelFormProps {
  /** Null: a new model. */
  readonly model: MonitoringModel | null
  readonly onSaved: (done: DoneChange) => void
  readonly onCancel: () => void
  readonly onDelete?: () => void
  /** Tells whoever would load another version whether something typed would be lost. */
  readonly unsaved?: RefObject<() => boolean>
}

const NO_PLAN: ModelPlan = {
  ...{ hosts: 0, hostsChangingState: 0, scannersCreated: 0, scannersUpdated: 0, scannersDeleted: 0 },
  ...{ metricsUpdated: 0, metricsDeleted: 0, examples: [] },
}

/** A monitoring model: what it is called, its scanners in their order, the custom fields that it fills in. */
export const ModelForm = ({ model, onSaved, onCancel, onDelete, unsaved }: ModelFormProps) => {
  const { canEverywhere } = useSession()
  const readOnly = !canEverywhere('host_write')
  const { ask, dialog } = usePlanQuestion()
  const save = async (input: ModelFormOutput, basedOn: string | null): Promise<DoneChange | null> => {
    if (model === null || basedOn === null)
      return { model: await call(monitoringModelRoutes.create, { body: input }), plan: NO_PLAN }
    const change = updateOf(model.id, input, basedOn)
    const plan = await change.plan()
    const { title, apply, back } = fr.plan
    const wanted = isIdle(plan) || (await ask({ plan, title: title(input.name), yes: apply, no: back }))
    if (!wanted) return null
    const done = await change.run()
    return done.model === null ? null : { model: done.model, plan: done.plan }
  }
  const handle = useEntityForm({
    schema: modelForm,
    values: model === null ? NEW_MODEL : valuesOf(model),
    basedOn: model?.updatedAt ?? null,
    labels: fr.fields,
    readNewer,
    // What is typed but wrong, e.g. a letter in a figure, is merged as it stands: nothing of it is lost.
    merge: (base, typed, newer) => mergeModels(asTyped(base), asTyped(typed), asTyped(newer)),
    describe: { definition: value => <DefinitionChanges model={model} value={value} /> },
    save,
    onSaved,
  })
  useEffect(() => {
    if (unsaved !== undefined) unsaved.current = handle.unsaved
  }, [unsaved, handle.unsaved])
  const { control } = handle.form
  const { fields, sections } = fr
  return (
    <>
      <FormShell
        handle={handle}
        labels={fields}
        creating={model === null}
        readOnly={readOnly}
        onCancel={onCancel}
        onDelete={onDelete}
      >
        <FormSection title={sections.identity} help={sections.identityHelp}>
          <Wide>
            <TextField control={control} name="name" label={fields.name} required autoFocus={model === null} />
          </Wide>
          <Wide>
            <TextField control={control} name="description" label={fields.description} />
          </Wide>
        </FormSection>
        <ScannerList form={handle.form} readOnly={readOnly} />
        <ModelFields control={control} />
      </FormShell>
      {dialog}
    </>
  )
}

/** What one of two versions changes of the model as it was loaded. */
const DefinitionChanges = ({ model, value }: { readonly model: MonitoringModel | null; readonly value: unknown }) => {
  const fields = useQuery(readableDefinitionsQuery).data ?? []
  const parsed = modelDefinition.safeParse(value)
  if (model === null || !parsed.success) return null
  const lines = modelChanges(model, { ...model, definition: parsed.data }, fields)
  return lines.length === 0 ? fr.noChange : lines.map(line => <div key={line}>{line}</div>)
}

/** The one cast: the form's values have the shape of a model whole, its single fields only may not yet be right. */
const asTyped = (values: unknown): ModelFormOutput => values as ModelFormOutput
