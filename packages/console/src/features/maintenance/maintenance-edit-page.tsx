import { Button } from '@mantine/core'
import { type Maintenance, maintenanceRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { call } from '../../lib/api.ts'
import { coveredMetricOptions, hostOptions, siteOptions } from '../../lib/option-sources.ts'
import { maintenancePath } from '../../ui/maintenance-mark.tsx'
import { ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.ts'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import { draftOf, newDraft } from './maintenance-draft.ts'
import { MaintenanceForm, type SavedForm } from './maintenance-form.tsx'
import { maintenanceQuery } from './maintenance-queries.ts'
import type { ChosenObjects } from './objects-field.tsx'

const idsOf = (params: URLSearchParams, name: string): number[] =>
  params.getAll(name).flatMap(text => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : []))
const NOBODY = { sites: [], hosts: [], metrics: [] }
type Names = Readonly<Record<keyof ChosenObjects, readonly { readonly id: number; readonly name: string }[]>>
const idsIn = ({ sites, hosts, metrics }: Names): ChosenObjects => ({
  sites: sites.map(one => one.id),
  hosts: hosts.map(one => one.id),
  metrics: metrics.map(one => one.id),
})

const SOURCES = { sites: siteOptions, hosts: hostOptions, metrics: coveredMetricOptions } as const

/** Names of what an address chose; what no longer exists is left out. */
const namesOf = async (objects: ChosenObjects, signal: AbortSignal) => {
  const named = async (kind: keyof ChosenObjects) => {
    const found = await Promise.allSettled(
      objects[kind].slice(0, MAX_NAMED).map(async id => ({ id, name: await SOURCES[kind].nameOf(id, signal) })),
    )
    return found.flatMap(one => (one.status === 'fulfilled' ? one.value : []))
  }
  return { sites: await named('sites'), hosts: await named('hosts'), metrics: await named('metrics') }
}
/** An address names few objects; a selection of many is planned from its list. */
const MAX_NAMED = 50

/** …/maintenance/new: what the address names (`?host=12&site=3`) is chosen already. */
export const NewMaintenancePage = () => {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const [draft] = useState(() => newDraft(Date.now()))
  const [chosen] = useState(() => ({
    ...{ sites: idsOf(params, 'site'), hosts: idsOf(params, 'host'), metrics: idsOf(params, 'metric') },
  }))
  const names = useQuery({
    queryKey: ['maintenance-names', chosen],
    queryFn: ({ signal }) => namesOf(chosen, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const save = async ({ targets, ...plan }: SavedForm): Promise<Maintenance> => {
    const made = await call(maintenanceRoutes.create, { body: { ...plan, ...(targets ?? NOBODY) } })
    void showToast({ message: fr.created, color: 'green' })
    return made
  }
  return (
    <>
      <PageHeader title={fr.newTitle} />
      {names.data === undefined ? (
        <LoadingState height={600} />
      ) : (
        <MaintenanceForm
          draft={draft}
          objects={idsIn(names.data)}
          known={names.data}
          kept={null}
          maintenanceId={null}
          submit={fr.create}
          save={save}
          onSaved={({ id }) => void navigate(maintenancePath(id))}
          onCancel={() => void navigate('/dashboard/live-view/maintenance')}
        />
      )}
    </>
  )
}

/** …/maintenance/:id/edit: also while it runs. */
export const EditMaintenancePage = () => {
  const id = useIdParam() ?? 0
  const { data, error, refetch } = useQuery(maintenanceQuery(id))
  if (data === undefined)
    return error === null ? <LoadingState height={600} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHeader
        title={fr.editTitle}
        meta={data.comment}
        actions={
          <Button variant="default" component={Link} to={maintenancePath(id)}>
            {fr.one}
          </Button>
        }
      />
      <Edit key={data.id} maintenance={data} />
    </>
  )
}

const Edit = ({ maintenance }: { readonly maintenance: Maintenance }) => {
  const navigate = useNavigate()
  // What it is based on stays that of the form, whatever is read again meanwhile.
  const [base] = useState(maintenance)
  const { id, sites, hosts, metrics, siteCount, hostCount, metricCount, updatedAt } = base
  const count = siteCount + hostCount + metricCount
  const shown = sites.length + hosts.length + metrics.length
  const known = {
    sites,
    hosts,
    metrics: metrics.map(one => ({ id: one.id, name: `${one.hostName}\u202f: ${one.name}` })),
  }
  const save = async ({ targets, ...plan }: SavedForm): Promise<Maintenance> => {
    const body = { ...plan, updatedAt, ...(targets === null ? {} : { targets }) }
    const saved = await call(maintenanceRoutes.update, { params: { id }, body })
    void showToast({ message: fr.saved, color: 'green' })
    return saved
  }
  return (
    <MaintenanceForm
      draft={draftOf(base, Date.now())}
      objects={idsIn(base)}
      known={known}
      kept={count > shown ? count : null}
      maintenanceId={id}
      submit={fr.save}
      save={save}
      onSaved={() => void navigate(maintenancePath(id))}
      onCancel={() => void navigate(maintenancePath(id))}
    />
  )
}
