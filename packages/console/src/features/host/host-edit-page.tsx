import { Button } from '@mantine/core'
import { type Host, hostRoutes } from '@narval/contracts'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { form as words } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { ofHost } from '../../lib/rights.ts'
import { useSession } from '../../lib/session.ts'
import { CredentialsPanel } from '../../ui/credentials-panel.tsx'
import { EditorPage } from '../../ui/editor-page.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { RecordEditor } from '../../ui/record-editor.tsx'
import { RecordFieldsPanel } from '../../ui/record-fields.tsx'
import { RuleSettingsPanel } from '../../ui/rule-settings.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import { HostForm } from './host-form.tsx'

const LIST = '/host/edit'

/** /host/edit/new, with `?siteId=` when the site is known. */
export const HostNewPage = () => {
  const afterSaving = useAfterSaving()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const siteId = Number(params.get('siteId') ?? '')
  return (
    <HostForm
      host={null}
      siteId={Number.isInteger(siteId) && siteId > 0 ? siteId : null}
      onCancel={() => void navigate(LIST)}
      onSaved={host => afterSaving(words.saved(host.name), `/host/${host.id}`)}
    />
  )
}

/** /host/edit/:id */
export const HostEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage record={['host', id]} load={signal => call(hostRoutes.get, { params: { id }, signal })}>
      {host => <HostEditor host={host} />}
    </EditorPage>
  )
}

const HostEditor = ({ host }: { readonly host: Host }) => {
  const { canOn } = useSession()
  const writes = canOn(ofHost(host), 'host_write')
  return (
    <RecordEditor
      list={LIST}
      name={host.name}
      plan={async () => {
        const { plan } = await call(hostRoutes.delete, { params: { id: host.id }, query: { plan: 'true' } })
        return { ...plan, hosts: plan.hosts - 1 }
      }}
      run={cascade => call(hostRoutes.delete, { params: { id: host.id }, query: cascade ? { cascade: 'true' } : {} })}
    >
      {actions => (
        <>
          <PageHeader
            title={host.name}
            meta={host.address}
            actions={
              <>
                {canOn(ofHost(host), 'scanner_read') && (
                  <Button variant="default" component={Link} to={`/scanner/edit?hostId=${host.id}`}>
                    {fr.scanners}
                  </Button>
                )}
                <Button variant="default" component={Link} to={`/host/${host.id}`}>
                  {fr.seeDetail}
                </Button>
              </>
            }
          />
          <HostForm host={host} {...actions} />
          <RecordFieldsPanel scope="host" id={host.id} />
          <RuleSettingsPanel scope="host" id={host.id} canWrite={writes} />
          {writes && <CredentialsPanel owner="host" id={host.id} canWrite />}
        </>
      )}
    </RecordEditor>
  )
}
