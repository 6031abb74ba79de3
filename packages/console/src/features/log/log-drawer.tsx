import { ActionIcon, Drawer } from '@mantine/core'
import { type LogDetail, logRoutes } from '@narval/contracts'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { ErrorState, LoadingState } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './log.module.css'
import { actorOf, Outcome, objectOf } from './log-columns.tsx'
import { tellsFacts } from './log-facts.ts'

const { detail: words } = fr

interface LogDrawerProps {
  /** The entry that is open; null: none. */
  readonly id: number | null
  /** Those of the page, the newest first as the list has them. */
  readonly shown: readonly number[]
  readonly onShow: (id: number | null) => void
}

/** One entry whole; the arrows go to its neighbours in the list, Escape gives the list back. */
export const LogDrawer = ({ id, shown, onShow }: LogDrawerProps) => {
  const place = id === null ? -1 : shown.indexOf(id)
  const [newer, older] = [shown[place - 1], place < 0 ? undefined : shown[place + 1]]
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowLeft' && newer !== undefined) onShow(newer)
    if (event.key === 'ArrowRight' && older !== undefined) onShow(older)
  }
  const step = (to: number | undefined, label: string, icon: typeof IconChevronLeft) => {
    const Icon = icon
    return (
      <ActionIcon
        variant="default"
        size={30}
        aria-label={label}
        title={label}
        disabled={to === undefined}
        onClick={() => to !== undefined && onShow(to)}
      >
        <Icon size={17} stroke={1.8} />
      </ActionIcon>
    )
  }
  return (
    <Drawer
      opened={id !== null}
      onClose={() => onShow(null)}
      onKeyDown={onKeyDown}
      position="right"
      size={520}
      title={
        <span className={classes.drawerTitle}>
          <strong>{words.title}</strong>
          {step(newer, words.newer, IconChevronLeft)}
          {step(older, words.older, IconChevronRight)}
        </span>
      }
    >
      {id !== null && <Entry key={id} id={id} />}
    </Drawer>
  )
}

const Entry = ({ id }: { readonly id: number }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ['log-entry', id],
    queryFn: ({ signal }) => call(logRoutes.get, { params: { id }, signal }),
  })
  if (data !== undefined) return <Detail entry={data} />
  return error === null ? <LoadingState /> : <ErrorState error={error} onRetry={() => void refetch()} />
}

const Detail = ({ entry }: { readonly entry: LogDetail }) => (
  <article className={classes.detail}>
    <header className={classes.detailHead}>
      <h3>{entry.actionText}</h3>
      <Outcome outcome={entry.outcome} />
    </header>
    {entry.message !== '' && entry.changes.length === 0 && <p className={classes.message}>{entry.message}</p>}
    <dl className={classes.facts}>
      <dt>{fr.columns.at}</dt>
      <dd>
        <time dateTime={entry.at}>{formatDateTime(entry.at)}</time> (<Ago at={entry.at} />)
      </dd>
      <dt>{fr.columns.actor}</dt>
      <dd>{actorOf(entry)}</dd>
      {entry.address !== '' && (
        <>
          <dt>{fr.columns.address}</dt>
          <dd>{entry.address}</dd>
        </>
      )}
      {entry.objectKind !== '' && (
        <>
          <dt>{fr.columns.object}</dt>
          <dd>
            <ObjectName entry={entry} />
          </dd>
        </>
      )}
      <dt>{fr.columns.kind}</dt>
      <dd>{fr.kinds[entry.kind]}</dd>
    </dl>
    <Changes entry={entry} />
    <p className={classes.seal}>
      {entry.position !== null
        ? words.sealed(entry.position)
        : entry.outcome === 'received'
          ? words.message
          : words.unsealed}
      {entry.seal !== null && (
        <>
          {' · '}
          {words.seal} <code>{entry.seal}</code>
        </>
      )}
    </p>
  </article>
)

/** Where the console shows what an entry may be about. */
const PLACES: Readonly<Record<string, (id: number) => string>> = {
  site: id => `/site/${id}`,
  host: id => `/host/${id}`,
  metric: id => `/metric/${id}`,
  scanner: id => `/scanner/edit/${id}`,
  probe: id => `/probe/edit/${id}`,
  incident: id => `/dashboard/live-view/incident/${id}`,
  maintenance: id => `/dashboard/live-view/maintenance/${id}`,
  'monitoring-model': id => `/host/model/${id}`,
  'notification-channel': id => `/system/notification/channel/${id}`,
  'notification-rule': id => `/system/notification/rule/${id}`,
  account: id => `/user/edit/${id}`,
  'user-group': id => `/user/group/${id}`,
  'discovery-range': id => `/scanner/discovery/${id}`,
}

const ObjectName = ({ entry }: { readonly entry: LogDetail }) => {
  const place = PLACES[entry.objectKind]
  if (entry.objectId === null || place === undefined) return objectOf(entry)
  if (entry.objectExists) return <Link to={place(entry.objectId)}>{objectOf(entry)}</Link>
  return (
    <>
      {objectOf(entry)} <span className={classes.muted}>({words.gone})</span>
    </>
  )
}

const Changes = ({ entry }: { readonly entry: LogDetail }) => {
  if (entry.changes.length === 0)
    return entry.message === '' ? <p className={classes.muted}>{words.noChanges}</p> : null
  const isFacts = tellsFacts(entry)
  return (
    <section>
      <h4>{isFacts ? words.facts : words.changes}</h4>
      <table className={classes.changes}>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            {!isFacts && <th scope="col">{words.before}</th>}
            <th scope="col">{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {entry.changes.map(({ field, label, before, after }) => (
            <tr key={field}>
              <th scope="row">{label}</th>
              {!isFacts && (
                <td>
                  <Value text={before} old />
                </td>
              )}
              <td>
                <Value text={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Value = ({ text, old = false }: { readonly text: string; readonly old?: boolean }) =>
  text === '' ? <span className={classes.muted}>{words.empty}</span> : old ? <del>{text}</del> : <ins>{text}</ins>
