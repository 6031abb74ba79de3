import { Anchor, Button, Text } from '@mantine/core'
import { type Site, siteRoutes } from '@narval/contracts'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { form as words } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { CredentialsPanel } from '../../ui/credentials-panel.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { EditorPage } from '../../ui/editor-page.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { RecordFieldsPanel } from '../../ui/record-fields.tsx'
import { RuleSettingsPanel } from '../../ui/rule-settings.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import { SiteForm } from './site-form.tsx'

const LIST = '/site/edit'

/** /site/edit/new */
export const SiteNewPage = () => {
  const afterSaving = useAfterSaving()
  const navigate = useNavigate()
  return (
    <SiteForm
      site={null}
      onCancel={() => void navigate(LIST)}
      onSaved={site => afterSaving(words.saved(site.name), LIST)}
    />
  )
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
  const { can } = useSession()
  const afterSaving = useAfterSaving()
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  return (
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
      <SiteForm
        site={site}
        onCancel={() => void navigate(LIST)}
        onSaved={saved => afterSaving(words.saved(saved.name), LIST)}
        onDelete={() => setDeleting(true)}
      />
      <RecordFieldsPanel scope="site" id={site.id} />
      <RuleSettingsPanel scope="site" id={site.id} canWrite={can('site_write')} />
      <CredentialsPanel owner="site" id={site.id} canWrite={can('site_write')} />
      <DeleteDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        name={site.name}
        plan={async () => {
          const { plan } = await call(siteRoutes.delete, { params: { id: site.id }, query: { plan: 'true' } })
          return { ...plan, sites: plan.sites - 1 }
        }}
        blocked={({ hosts = 0 }) =>
          hosts > 0 &&
          !can('host_write') && (
            <Text size="sm">
              {fr.deleteBlocked(hosts)}{' '}
              <Anchor component={Link} to={`/host/edit?siteId=${site.id}`}>
                {fr.showHosts}
              </Anchor>
            </Text>
          )
        }
        run={async cascade => {
          await call(siteRoutes.delete, { params: { id: site.id }, query: cascade ? { cascade: 'true' } : {} })
        }}
        onDeleted={() => afterSaving(words.deleted(site.name), LIST)}
      />
    </>
  )
}
