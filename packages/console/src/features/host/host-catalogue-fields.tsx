import { ActionIcon } from '@mantine/core'
import type { Host, hostBody } from '@narval/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { hostModelOptions, hostTypeOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { RemoteSelectField } from '../../ui/remote-select.tsx'
import { fr } from './fr.ts'
import { HardwareModelDialog, HostTypeDialog } from './host-catalogue-dialogs.tsx'

type HostFormHandle = UseFormReturn<z.input<typeof hostBody>, unknown, z.output<typeof hostBody>>

interface CatalogueFieldsProps {
  readonly form: HostFormHandle
  readonly host: Host | null
}

const known = (id: number | null | undefined, name: string | null | undefined) =>
  typeof id === 'number' && typeof name === 'string' ? { id, name } : null

/** Type and hardware model of a host; one that is missing is created on the way, and chosen. */
export const CatalogueFields = ({ form, host }: CatalogueFieldsProps) => {
  const client = useQueryClient()
  const [creating, setCreating] = useState<'typeId' | 'modelId' | null>(null)
  const { fields, catalogue: words } = fr
  const close = (): void => setCreating(null)
  const choose = (field: 'typeId' | 'modelId', id: number): void => {
    // Lists that were read before do not know it.
    void client.invalidateQueries({
      queryKey: ['options', (field === 'typeId' ? hostTypeOptions : hostModelOptions).key],
    })
    form.setValue(field, id, { shouldDirty: true, shouldValidate: true })
    close()
  }
  return (
    <>
      <RemoteSelectField
        control={form.control}
        name="typeId"
        label={fields.typeId}
        source={hostTypeOptions}
        known={known(host?.typeId, host?.typeName)}
        beside={<Add label={words.addType} onClick={() => setCreating('typeId')} />}
      />
      <RemoteSelectField
        control={form.control}
        name="modelId"
        label={fields.modelId}
        source={hostModelOptions}
        known={known(host?.modelId, host?.modelName)}
        beside={<Add label={words.addModel} onClick={() => setCreating('modelId')} />}
      />
      {creating === 'typeId' && (
        <HostTypeDialog entry={null} onClose={close} onSaved={({ id }) => choose('typeId', id)} />
      )}
      {creating === 'modelId' && (
        <HardwareModelDialog entry={null} onClose={close} onSaved={({ id }) => choose('modelId', id)} />
      )}
    </>
  )
}

/** The catalogue is everybody's: only who writes everywhere adds to it. */
const Add = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }): ReactNode =>
  useSession().canEverywhere('host_write') && (
    <ActionIcon variant="default" size={36} radius={8} aria-label={label} title={label} onClick={onClick}>
      <IconPlus size={16} />
    </ActionIcon>
  )
