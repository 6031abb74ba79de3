import { Anchor, Button, Text } from '@mantine/core'
import { type Site, siteRoutes } from '@narval/contracts'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { ofSite } from '../../lib/rights.ts'
import { useSession } from '../../lib/session.ts'
import { CredentialsPanel } from '../../ui/credentials-panel.tsx'
import { EditorPage } from '../../ui/editor-page.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { RecordEditor } from '../../ui/record-editor.tsx'
import { RecordFieldsPanel } from '../../ui/record-fields.tsx'
import { RuleSettingsPanel } from '../../ui/rule-settings.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { useListReturn } from '../../ui/use-list-return.ts'
import { fr } from './fr.ts'
import { SiteForm } from './site-form.tsx'

const LIST = '/site/edit'

/** /site/edit/new */
export const SiteNewPage = () => {
  return <SiteForm site={null} {...useListReturn(LIST)} />
}

/** /site/edit/:id */
export const SiteEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage record={['site', id]} load={signal => call(siteRoutes.get, { params: { id }, signal })}>
      {site => <SiteEditor site={site} />}
    </EditorPage>
  )
}

const SiteEditor = ({ site }: { readonly site: Site }) => {
  const { canOn } = useSession()
  const writes = canOn(ofSite(site), 'site_write')
  return (
    <RecordEditor
      list={LIST}
      name={site.name}
      plan={async () => {
        const { plan } = await call(siteRoutes.delete, { params: { id: site.id }, query: { plan: 'true' } })
        return { ...plan, sites: plan.sites - 1 }
      }}
      blocked={({ hosts = 0 }) =>
        hosts > 0 &&
        !canOn(ofSite(site), 'host_write') && (
          <Text size="sm">
            {fr.deleteBlocked(hosts)}{' '}
            <Anchor component={Link} to={`/host/edit?siteId=${site.id}`}>
              {fr.showHosts}
            </Anchor>
          </Text>
        )
      }
      run={cascade => call(siteRoutes.delete, { params: { id: site.id }, query: cascade ? { cascade: 'true' } : {} })}
    >
      {actions => (
        <>
          <PageHeader
            title={site.name}
            meta={site.code}
            actions={
              <Button variant="default" component={Link} to={`/site/${site.id}`}>
                {fr.seeDetail}
              </Button>
            }
          />
          <SiteForm site={site} {...actions} />
          <RecordFieldsPanel scope="site" id={site.id} />
          {!site.partial && <RuleSettingsPanel scope="site" id={site.id} canWrite={writes} />}
          {writes && <CredentialsPanel owner="site" id={site.id} canWrite />}
        </>
      )}
    </RecordEditor>
  )
}
