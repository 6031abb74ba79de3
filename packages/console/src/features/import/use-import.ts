import { IMPORT_MAX_BYTES, type ImportEntity, type ImportInput, type ImportMode, importRoutes } from '@narval/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/api.ts'
import { fr } from './fr.ts'

/** Reading and checking tens of thousands of rows may last. */
const LONG_MS = 120_000
const FOLLOW_MS = 400

/** What is chosen for a file: the field of each column ('' for none), and how rows count. */
interface Choices {
  readonly fields: readonly string[]
  readonly mode: ImportMode
  readonly createTypes: boolean
}

const NO_CHOICES: Choices = { fields: [], mode: 'upsert', createTypes: false }

const inputOf = ({ fields, mode, createTypes }: Choices): ImportInput => ({
  mapping: Object.fromEntries(fields.flatMap((field, column) => (field === '' ? [] : [[String(column), field]]))),
  mode,
  createTypes,
})

const bytesOf = async (file: File): Promise<Uint8Array<ArrayBuffer>> => {
  if (file.size > IMPORT_MAX_BYTES) throw new Error(fr.tooLarge(IMPORT_MAX_BYTES / 1_048_576))
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    throw new Error(fr.unreadable)
  }
}

/** One import from the choice of a file to its end; a changed choice makes the last check worthless. */
export const useImport = (entity: ImportEntity) => {
  const client = useQueryClient()
  const [choices, setChoices] = useState(NO_CHOICES)
  const upload = useMutation({
    mutationFn: async (file: File) =>
      call(importRoutes.file, {
        query: { entity, name: file.name.slice(0, 200) },
        body: await bytesOf(file),
        timeoutMs: LONG_MS,
      }),
    onSuccess: file =>
      setChoices({
        ...NO_CHOICES,
        mode: entity === 'metric' ? 'update' : 'upsert',
        fields: file.columns.map(column => column.field ?? ''),
      }),
  })
  const id = upload.data?.id ?? 0
  const check = useMutation({
    mutationFn: () => call(importRoutes.check, { params: { id }, body: inputOf(choices), timeoutMs: LONG_MS }),
  })
  const run = useMutation({ mutationFn: () => call(importRoutes.run, { params: { id }, body: inputOf(choices) }) })
  const followed = useQuery({
    queryKey: ['import', id],
    queryFn: ({ signal }) => call(importRoutes.get, { params: { id }, signal }),
    enabled: run.isSuccess,
    refetchInterval: ({ state }) =>
      state.data?.state === 'done' || state.data?.state === 'failed' || state.status === 'error' ? false : FOLLOW_MS,
    gcTime: 0,
  })
  const ended = followed.data?.state === 'done'
  useEffect(() => {
    if (ended) void client.invalidateQueries({ predicate: query => query.queryKey[0] !== 'import' })
  }, [ended, client])
  return {
    choices,
    upload,
    check,
    run,
    followed,
    choose(next: Partial<Choices>): void {
      setChoices(before => ({ ...before, ...next }))
      check.reset()
      run.reset()
    },
    restart(): void {
      if (upload.data !== undefined) void call(importRoutes.delete, { params: { id } }).catch(() => undefined)
      upload.reset()
      check.reset()
      run.reset()
    },
  }
}
export type ImportHandle = ReturnType<typeof useImport>
