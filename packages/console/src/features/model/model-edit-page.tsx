import { Button, Tabs } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { GLOBAL_STREAM, type MonitoringModel, monitoringModelRoutes } from '@narval/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../lib/api.ts'
import { useHubEvent } from '../../lib/hub.ts'
import { useSession } from '../../lib/session.ts'
import { CredentialsPanel } from '../../ui/credentials-panel.tsx'
import { EditorPage } from '../../ui/editor-page.tsx'
import { errorText, PageHeader } from '../../ui/page.tsx'
import { RuleSettingsPanel } from '../../ui/rule-settings.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import { ModelForm } from './model-form.tsx'
import { ModelHosts } from './model-hosts.tsx'
import { type DoneChange, deletionOf, isIdle, undoOf } from './model-queries.ts'
import { ModelVersions } from './model-versions.tsx'
import { usePlanQuestion } from './plan-dialog.tsx'

const LIST = '/host/model'
const TABS = ['model', 'versions', 'hosts'] as const
const TOAST_MS = 15_000
const refused = (error: unknown): void => {
  notifications.show({ title: fr.plan.refused, message: errorText(error), color: 'red' })
}

/** /host/model/new */
export const ModelNewPage = () => {
  const navigate = useNavigate()
  const client = useQueryClient()
  return (
    <ModelForm
      model={null}
      onCancel={() => void navigate(LIST)}
      onSaved={({ model }) => {
        notifications.show({ message: fr.saved(model.name), color: 'green' })
        void client.invalidateQueries()
        void navigate(`${LIST}/${model.id}`)
      }}
    />
  )
}

/** /host/model/:id, with `?tab=`. */
export const ModelEditPage = () => {
  const id = useIdParam() ?? 0
  return (
    <EditorPage
      record={['monitoring-model', id]}
      load={signal => call(monitoringModelRoutes.get, { params: { id }, signal })}
    >
      {model => <ModelPage loaded={model} />}
    </EditorPage>
  )
}

/** The model as last saved here, and what can be done with it as a whole. */
const useModel = (loaded: MonitoringModel) => {
  const [model, setModel] = useState(loaded)
  const unsaved = useRef<() => boolean>(() => false)
  const { ask, dialog } = usePlanQuestion()
  const client = useQueryClient()
  const navigate = useNavigate()
  // What others save is shown at once, unless something typed would be lost: then saving tells it.
  useHubEvent('host', GLOBAL_STREAM, ({ models }) => {
    if (models?.includes(loaded.id) !== true) return
    void call(monitoringModelRoutes.get, { params: { id: loaded.id } }).then(
      newer => setModel(before => (newer.updatedAt !== before.updatedAt && unsaved.current() ? before : newer)),
      () => undefined,
    )
  })
  const shown = useRef(true)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])

  /** Asks when states would change, or when one always wants to be asked; null when it was not done. */
  const undo = async (from: Pick<MonitoringModel, 'id' | 'updatedAt' | 'name'>, always: boolean): Promise<void> => {
    try {
      const change = undoOf(from)
      const plan = await change.plan()
      const { undoTitle, undo: yes, undoBack: no } = fr.plan
      // Nobody is there to be asked: the page says what would change, and has the button.
      if (!shown.current && plan.hostsChangingState > 0) {
        void navigate(`${LIST}/${from.id}?tab=versions`)
        return
      }
      const wanted =
        (!always && (isIdle(plan) || plan.hostsChangingState === 0)) ||
        (await ask({ plan, title: undoTitle(from.name), yes, no }))
      if (!wanted) return
      const done = await change.run()
      notifications.show({ message: fr.undone(done.plan.hosts), color: 'green' })
      // What was typed since stays: saving it then says that the model changed meanwhile.
      if (done.model !== null && !unsaved.current()) setModel(done.model)
      void client.invalidateQueries()
    } catch (error) {
      notifications.show({ title: fr.undoFailed, message: errorText(error), color: 'red' })
    }
  }
  const saved = ({ model: next, plan }: DoneChange): void => {
    setModel(next)
    void client.invalidateQueries()
    const id = `model-${next.id}-${next.updatedAt}`
    const goBack = (): void => {
      notifications.hide(id)
      void undo(next, false)
    }
    notifications.show({
      id,
      color: 'green',
      autoClose: TOAST_MS,
      title: plan.hosts === 0 ? fr.saved(next.name) : fr.applied(plan.hosts),
      message: (
        <Button variant="default" size="compact-sm" mt={4} onClick={goBack}>
          {fr.undo}
        </Button>
      ),
    })
  }
  const remove = async (): Promise<void> => {
    try {
      const change = deletionOf(model.id)
      const plan = await change.plan()
      const { deleteTitle, delete: yes, deleteBack: no, deleteText: note } = fr.plan
      if (!(await ask({ plan, title: deleteTitle(model.name), yes, no, note, danger: true }))) return
      await change.run()
      notifications.show({ message: fr.deleted(model.name), color: 'green' })
      unsaved.current = () => false
      void navigate(LIST)
      void client.invalidateQueries({ predicate: query => query.queryKey[0] !== 'editor' })
    } catch (error) {
      refused(error)
    }
  }
  return { model, unsaved, saved, undo, remove, dialog }
}

const ModelPage = ({ loaded }: { readonly loaded: MonitoringModel }) => {
  const { model, unsaved, saved, undo, remove, dialog } = useModel(loaded)
  const navigate = useNavigate()
  const { canEverywhere } = useSession()
  const [params, setParams] = useSearchParams()
  const tab = TABS.find(one => one === params.get('tab')) ?? 'model'
  const show = (next: string | null): void =>
    setParams(next === null || next === 'model' ? {} : { tab: next }, { replace: true })
  const panels = {
    // A new version is a new form: what it was loaded from is settled.
    model: (
      <>
        <ModelForm
          key={model.updatedAt}
          model={model}
          unsaved={unsaved}
          onSaved={saved}
          onCancel={() => void navigate(LIST)}
          onDelete={() => void remove()}
        />
        <RuleSettingsPanel scope="model" id={model.id} canWrite={canEverywhere('host_write')} />
        <CredentialsPanel owner="model" id={model.id} canWrite={canEverywhere('host_write')} />
      </>
    ),
    versions: (
      <ModelVersions model={model} onUndo={canEverywhere('host_write') ? () => void undo(model, true) : null} />
    ),
    hosts: <ModelHosts model={model} />,
  }
  return (
    <>
      <PageHeader title={model.name} meta={fr.hosts.count(model.hosts)} />
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="md">
          {TABS.map(one => (
            <Tabs.Tab key={one} value={one}>
              {fr.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(one => (
          // The form stays while one looks elsewhere: nothing typed is lost.
          <Tabs.Panel key={one} value={one} keepMounted={one === 'model'}>
            {panels[one]}
          </Tabs.Panel>
        ))}
      </Tabs>
      {dialog}
    </>
  )
}
