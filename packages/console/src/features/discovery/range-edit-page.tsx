import { type DiscoveryRange, discoveryRoutes } from '@narval/contracts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { form as words } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { EditorPage } from '../../ui/editor-page.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import { RangeForm } from './range-form.tsx'

const LIST = '/scanner/discovery'

/** /scanner/discovery/new */
export const RangeNewPage = () => {
  const afterSaving = useAfterSaving()
  const navigate = useNavigate()
  return (
    <RangeForm
      range={null}
      onCancel={() => void navigate(LIST)}
      onSaved={range => afterSaving(words.saved(range.name), LIST)}
    />
  )
}

/** /scanner/discovery/:id */
export const RangeEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage record={['discovery-range', id]} load={signal => call(discoveryRoutes.get, { params: { id }, signal })}>
      {range => <RangeEditor range={range} />}
    </EditorPage>
  )
}

const RangeEditor = ({ range }: { readonly range: DiscoveryRange }) => {
  const afterSaving = useAfterSaving()
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <PageHeader title={range.name} meta={`${range.siteName} · ${fr.addresses(range.addresses)}`} />
      <RangeForm
        range={range}
        onCancel={() => void navigate(LIST)}
        onSaved={saved => afterSaving(words.saved(saved.name), LIST)}
        onDelete={() => setDeleting(true)}
      />
      <DeleteDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        name={range.name}
        recorded={false}
        plan={async () => ({})}
        run={async () => {
          await call(discoveryRoutes.delete, { params: { id: range.id } })
        }}
        onDeleted={() => afterSaving(words.deleted(range.name), LIST)}
      />
    </>
  )
}
