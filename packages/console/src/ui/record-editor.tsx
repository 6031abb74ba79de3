import { type ReactNode, useState } from 'react'
import { form as words } from '../i18n/form.ts'
import { DeleteDialog, type DeleteDialogProps } from './delete-dialog.tsx'
import { useAfterSaving } from './use-after-saving.ts'
import { useListReturn } from './use-list-return.ts'

interface FormActions extends ReturnType<typeof useListReturn> {
  readonly onDelete: () => void
}

interface RecordEditorProps extends Omit<DeleteDialogProps, 'opened' | 'onClose' | 'plan' | 'onDeleted'> {
  /** Path of the list that one goes back to. */
  readonly list: string
  /** Left out: nothing goes along. */
  readonly plan?: DeleteDialogProps['plan']
  /** The page, with what its form is given. */
  readonly children: (actions: FormActions) => ReactNode
}

/** The page of one record, whose form can be left, saved, or the record deleted after asking. */
export const RecordEditor = ({ list, plan = async () => ({}), children, ...deletion }: RecordEditorProps) => {
  const back = useListReturn(list)
  const afterSaving = useAfterSaving()
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      {children({ ...back, onDelete: () => setDeleting(true) })}
      <DeleteDialog
        {...deletion}
        opened={deleting}
        onClose={() => setDeleting(false)}
        plan={plan}
        onDeleted={() => afterSaving(words.deleted(deletion.name), list)}
      />
    </>
  )
}
