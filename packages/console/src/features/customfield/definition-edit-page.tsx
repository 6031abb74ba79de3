import { Modal, Text } from '@mantine/core'
import type { FieldDefinition, FieldGroup } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { form as words } from '../../i18n/form.ts'
import { fieldGroupsQuery } from '../../lib/custom-field-queries.ts'
import { Deletion } from '../../ui/deletion.tsx'
import { EditorPage } from '../../ui/editor-page.tsx'
import { NotLoaded, PageHeader } from '../../ui/page.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { DefinitionForm } from './definition-form.tsx'
import { deleteDefinition, findDefinition } from './field-queries.ts'
import { fr } from './fr.ts'

const LIST = '/customfield/edit'

/** /customfield/edit/new */
export const DefinitionNewPage = () => {
  const afterSaving = useAfterSaving()
  const navigate = useNavigate()
  return (
    <WithGroups>
      {groups => (
        <DefinitionForm
          definition={null}
          groups={groups}
          onCancel={() => void navigate(LIST)}
          onSaved={saved => afterSaving(words.saved(saved.label), LIST)}
        />
      )}
    </WithGroups>
  )
}

/** /customfield/edit/:id */
export const DefinitionEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage record={['field-definition', id]} load={signal => findDefinition(id, signal)}>
      {definition => <WithGroups>{groups => <Editor definition={definition} groups={groups} />}</WithGroups>}
    </EditorPage>
  )
}

const WithGroups = ({ children }: { readonly children: (groups: readonly FieldGroup[]) => ReactNode }) => {
  const { data, error, refetch } = useQuery(fieldGroupsQuery)
  if (data !== undefined) return children(data)
  return <NotLoaded error={error} onRetry={refetch} height={400} isAlone />
}

interface EditorProps {
  readonly definition: FieldDefinition
  readonly groups: readonly FieldGroup[]
}

const Editor = ({ definition, groups }: EditorProps) => {
  const afterSaving = useAfterSaving()
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  const { label } = definition
  return (
    <>
      <PageHeader title={label} meta={fr.definitions.values(definition.values)} />
      <DefinitionForm
        definition={definition}
        groups={groups}
        onCancel={() => void navigate(LIST)}
        onSaved={saved => afterSaving(words.saved(saved.label), LIST)}
        onDelete={() => setDeleting(true)}
      />
      <Modal
        opened={deleting}
        onClose={() => setDeleting(false)}
        title={<strong>{words.deleteTitle(label)}</strong>}
        centered
      >
        <Deletion
          queryKey={['field-definition', definition.id]}
          plan={() => deleteDefinition(definition.id, true)}
          read={readPlan}
          run={() => deleteDefinition(definition.id, false)}
          onClose={() => setDeleting(false)}
          onDeleted={() => afterSaving(words.deleted(label), LIST)}
        />
      </Modal>
    </>
  )
}

/** What is lost with a field. */
const readPlan = ({ values, formulas }: Awaited<ReturnType<typeof deleteDefinition>>) => {
  const loses = values > 0 || formulas > 0
  return {
    said: (
      <>
        {!loses && <Text size="sm">{fr.deletion.nothing}</Text>}
        {values > 0 && <Text size="sm">{fr.deletion.values(values)}</Text>}
        {formulas > 0 && <Text size="sm">{fr.deletion.formulas(formulas)}</Text>}
      </>
    ),
    tick: loses ? fr.deletion.confirm : null,
    possible: true,
    lost: words.deleteForGood,
  }
}
