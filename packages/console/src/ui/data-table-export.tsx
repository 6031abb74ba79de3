import { ActionIcon } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { DatatableInput } from '@narval/contracts'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { table as words } from '../i18n/table.ts'
import { saveFile } from '../lib/save-file.ts'
import { errorText } from './page.tsx'

export interface TableExport {
  /** Of the file, without date and end. */
  readonly name: string
  /** The whole list that a request finds, as CSV. */
  readonly fetch: (body: DatatableInput) => Promise<Blob>
}

/** Saves all that the list's filter matches, not its page alone. */
export const ExportButton = ({
  source,
  body,
}: {
  readonly source: TableExport
  readonly body: () => DatatableInput
}) => {
  const saving = useMutation({
    mutationFn: () => source.fetch(body()),
    onSuccess: content => saveFile(`${source.name}-${stamp(new Date())}.csv`, content),
    onError: error => {
      notifications.show({ title: words.exportFailed, message: errorText(error), color: 'red' })
    },
  })
  return (
    <ActionIcon
      variant="default"
      size={34}
      radius={8}
      loading={saving.isPending}
      aria-label={words.export}
      title={words.export}
      onClick={() => saving.mutate()}
    >
      <IconDownload size={17} />
    </ActionIcon>
  )
}

/** `2026-01-15-08-30`, at the reader's own clock. */
const stamp = (at: Date): string => {
  const two = (value: number): string => String(value).padStart(2, '0')
  return [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate()), two(at.getHours()), two(at.getMinutes())].join(
    '-',
  )
}
