import { Button } from '@mantine/core'
import { type Metric, metricRoutes } from '@narval/contracts'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { form as words } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { EditorPage } from '../../ui/editor-page.tsx'
import { ModelBadge } from '../../ui/model-badge.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { RuleSettingsPanel } from '../../ui/rule-settings.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import { MetricForm } from './metric-form.tsx'

const LIST = '/metric/edit'

/** /metric/edit/:id */
export const MetricEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage record={['metric', id]} load={signal => call(metricRoutes.get, { params: { id }, signal })}>
      {metric => <MetricEditor metric={metric} />}
    </EditorPage>
  )
}

const MetricEditor = ({ metric }: { readonly metric: Metric }) => {
  const { can } = useSession()
  const afterSaving = useAfterSaving()
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <PageHeader
        title={metric.name}
        meta={
          <>
            {`${metric.hostName} · ${metric.scannerName} · ${metric.key}`}
            <ModelBadge modelId={metric.modelId} modelName={metric.modelName} />
          </>
        }
        actions={
          <Button variant="default" component={Link} to={`/metric/${metric.id}`}>
            {fr.seeDetail}
          </Button>
        }
      />
      <MetricForm
        metric={metric}
        onCancel={() => void navigate(LIST)}
        onSaved={saved => afterSaving(words.saved(saved.name), LIST)}
        onDelete={() => setDeleting(true)}
      />
      <RuleSettingsPanel scope="metric" id={metric.id} canWrite={can('metric_write')} />
      <DeleteDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        name={metric.name}
        plan={async () => ({})}
        run={async () => {
          await call(metricRoutes.delete, { params: { id: metric.id } })
        }}
        onDeleted={() => afterSaving(words.deleted(metric.name), LIST)}
      />
    </>
  )
}
