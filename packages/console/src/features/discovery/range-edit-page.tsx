import { type DiscoveryRange, discoveryRoutes } from '@narval/contracts'
import { call } from '../../lib/api.ts'
import { EditorPage } from '../../ui/editor-page.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { RecordEditor } from '../../ui/record-editor.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { useListReturn } from '../../ui/use-list-return.ts'
import { fr } from './fr.ts'
import { RangeForm } from './range-form.tsx'

const LIST = '/scanner/discovery'

/** /scanner/discovery/new */
export const RangeNewPage = () => {
  return <RangeForm range={null} {...useListReturn(LIST)} />
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
  return (
    <RecordEditor
      list={LIST}
      name={range.name}
      recorded={false}
      run={() => call(discoveryRoutes.delete, { params: { id: range.id } })}
    >
      {actions => (
        <>
          <PageHeader title={range.name} meta={`${range.siteName} · ${fr.addresses(range.addresses)}`} />
          <RangeForm range={range} {...actions} />
        </>
      )}
    </RecordEditor>
  )
}
