import { useNavigate } from 'react-router'
import { form as words } from '../i18n/form.ts'
import { useAfterSaving } from './use-after-saving.ts'

/** Back to the list that a form was opened from, whether it is left or saved. */
export const useListReturn = (list: string) => {
  const navigate = useNavigate()
  const afterSaving = useAfterSaving()
  return {
    onCancel: (): void => void navigate(list),
    onSaved: ({ name }: { readonly name: string }): void => afterSaving(words.saved(name), list),
  }
}
