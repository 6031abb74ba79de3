import { CHECKS, type Scanner, scannerRoutes } from '@narval/contracts'
import { useNavigate, useSearchParams } from 'react-router'
import { form as words } from '../../i18n/form.ts'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { EditorPage } from '../../ui/editor-page.tsx'
import { HistoryCard } from '../../ui/history-card.tsx'
import { ModelBadge } from '../../ui/model-badge.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { RecordEditor } from '../../ui/record-editor.tsx'
import { RuleSettingsPanel } from '../../ui/rule-settings.tsx'
import { useAfterSaving } from '../../ui/use-after-saving.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { ReceptionCards } from './reception-card.tsx'
import { ScannerForm } from './scanner-form.tsx'
import classes from './scanner-state.module.css'
import { ScannerState } from './scanner-state.tsx'

const LIST = '/scanner/edit'

/** /scanner/edit/new, with `?hostId=` when the host is known. */
export const ScannerNewPage = () => {
  const afterSaving = useAfterSaving()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const hostId = Number(params.get('hostId') ?? '')
  return (
    <ScannerForm
      scanner={null}
      hostId={Number.isInteger(hostId) && hostId > 0 ? hostId : null}
      onCancel={() => void navigate(LIST)}
      // What waits for pushed values shows its token there.
      onSaved={({ id, kind, name }) =>
        afterSaving(words.saved(name), CHECKS[kind].runner === 'server' ? `${LIST}/${id}` : LIST)
      }
    />
  )
}

/** /scanner/edit/:id */
export const ScannerEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage record={['scanner', id]} load={signal => call(scannerRoutes.get, { params: { id }, signal })}>
      {scanner => <ScannerEditor scanner={scanner} />}
    </EditorPage>
  )
}

const ScannerEditor = ({ scanner }: { readonly scanner: Scanner }) => {
  const { canOn } = useSession()
  return (
    <RecordEditor
      list={LIST}
      name={scanner.name}
      plan={async () => ({ metrics: scanner.metrics })}
      run={() => call(scannerRoutes.delete, { params: { id: scanner.id } })}
    >
      {actions => (
        <>
          <PageHeader
            title={scanner.name}
            meta={
              <>
                {`${scanner.hostName} · ${scanner.hostAddress} · ${scanner.siteName}`}
                <ModelBadge modelId={scanner.modelId} modelName={scanner.modelName} />
              </>
            }
          />
          <ScannerState scanner={scanner} />
          <ScannerForm scanner={scanner} {...actions} />
          <RuleSettingsPanel scope="scanner" id={scanner.id} canWrite={canOn(scanner, 'scanner_write')} />
          <ReceptionCards scanner={scanner} />
          <div className={classes.history}>
            <HistoryCard object="scanner" id={scanner.id} version={scanner.updatedAt} />
          </div>
        </>
      )}
    </RecordEditor>
  )
}
