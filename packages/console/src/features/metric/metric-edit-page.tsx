import { Button } from '@mantine/core'
import { type Metric, metricRoutes } from '@narval/contracts'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { EditorPage } from '../../ui/editor-page.tsx'
import { ModelBadge } from '../../ui/model-badge.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { RecordEditor } from '../../ui/record-editor.tsx'
import { RuleSettingsPanel } from '../../ui/rule-settings.tsx'
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
  const { canOn } = useSession()
  return (
    <RecordEditor list={LIST} name={metric.name} run={() => call(metricRoutes.delete, { params: { id: metric.id } })}>
      {actions => (
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
          <MetricForm metric={metric} {...actions} />
          <RuleSettingsPanel scope="metric" id={metric.id} canWrite={canOn(metric, 'metric_write')} />
        </>
      )}
    </RecordEditor>
  )
}
