import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import type { FieldDefinition, FieldGroup } from '@narval/contracts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { form as words } from '../../i18n/form.ts'
import { fieldGroupsQuery } from '../../lib/custom-field-queries.ts'
import { EditorPage } from '../../ui/editor-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, ErrorState, errorText, LoadingState, PageHeader } from '../../ui/page.tsx'
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
  return error === null ? (
    <LoadingState height={400} />
  ) : (
    <Card>
      <ErrorState error={error} onRetry={() => void refetch()} />
    </Card>
  )
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
        title={<strong>{fr.deletion.title(label)}</strong>}
        centered
      >
        <Deletion
          id={definition.id}
          onClose={() => setDeleting(false)}
          onDeleted={() => afterSaving(words.deleted(label), LIST)}
        />
      </Modal>
    </>
  )
}

interface DeletionProps {
  readonly id: number
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Says what is lost with a field before it is deleted. */
const Deletion = ({ id, onClose, onDeleted }: DeletionProps) => {
  const [understood, setUnderstood] = useState(false)
  const planned = useQuery({
    queryKey: ['deletion-plan', 'field-definition', id],
    queryFn: () => deleteDefinition(id, true),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const deletion = useMutation({ mutationFn: () => deleteDefinition(id, false), onSuccess: onDeleted })
  const plan = planned.data
  const refused = deletion.error ?? planned.error
  const loses = plan !== undefined && (plan.values > 0 || plan.formulas > 0)
  return (
    <Stack gap="md">
      {plan === undefined && planned.error === null && <Text size="sm">{fr.deletion.planning}</Text>}
      {plan !== undefined && (
        <>
          {!loses && <Text size="sm">{fr.deletion.nothing}</Text>}
          {plan.values > 0 && <Text size="sm">{fr.deletion.values(plan.values)}</Text>}
          {plan.formulas > 0 && <Text size="sm">{fr.deletion.formulas(plan.formulas)}</Text>}
          <Text size="sm" c="dimmed">
            {fr.deletion.final}
          </Text>
        </>
      )}
      {loses && (
        <Checkbox
          label={fr.deletion.confirm}
          checked={understood}
          onChange={event => setUnderstood(event.currentTarget.checked)}
        />
      )}
      {refused !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={fr.deletion.refused}>
          <p>{errorText(refused)}</p>
        </Notice>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.cancel}
        </Button>
        <Button
          color="red"
          loading={deletion.isPending}
          disabled={plan === undefined || (loses && !understood)}
          onClick={() => deletion.mutate()}
        >
          {words.delete}
        </Button>
      </Group>
    </Stack>
  )
}
