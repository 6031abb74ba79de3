import { notifications, notificationsStore } from '@mantine/notifications'
import { type AlertMessage, type AlertType, GLOBAL_STREAM, notificationRoutes } from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined, useHubState } from '../../lib/hub.ts'
import { linkedIncident } from '../../lib/incident-link.ts'
import { NOTIFICATIONS_KEY } from '../../lib/notification-queries.ts'
import { internalLink } from '../../lib/safe-link.ts'
import { SeverityIcon } from '../../ui/severity.tsx'
import { NARROW } from '../narrow.ts'
import { createAlertInbox } from './alert-inbox.ts'
import { createAlertStorm, type Told } from './alert-storm.ts'
import classes from './alerts.module.css'

const SEVERITY_OF: Readonly<Record<AlertType, Severity | null>> = {
  Success: 'ok',
  Error: 'error',
  Info: null,
  Warning: 'warning',
  Question: 'unknown',
}
const STAYS_MS: Readonly<Record<AlertType, number>> = {
  Success: 6_000,
  Error: 20_000,
  Info: 6_000,
  Warning: 12_000,
  Question: 12_000,
}
/** More missed alerts than this are told by one toast. */
const TOLD_ONE_BY_ONE = 3
/** The list that the server gives at once: there may be more. */
const LIST_MAX = 50
/** More than this at once is told by a count, for which a place is left among the toasts. */
const STORM = { own: 3, windowMs: 10_000 } as const
/** On a phone one toast is seen at a time: a queue of them would tell old news for minutes. */
const STORM_NARROW = { ...STORM, own: 1 } as const
const STORM_TOAST = 'alert-storm'
/** The count of a storm is told anew at most this often: thousands of alerts at once would each draw its toast again. */
const STORM_TOLD_MS = 250
const OWN: Told = { kind: 'own' }
/** The list is asked for at most this often, however many alerts come. */
const LIST_DELAY_MS = 400

/** The toast of an alert: one for all the alerts of an incident, the newest of which it shows. */
const toastId = ({ id, link }: AlertMessage): string | undefined => {
  const incident = linkedIncident(link)
  if (incident !== null) return `alert-incident-${incident}`
  return id === undefined ? undefined : `alert-${id}`
}

const isShown = (id: string): boolean => {
  const { notifications: shown, queue } = notificationsStore.getState()
  return [...shown, ...queue].some(toast => toast.id === id)
}

/** Told again, it stays as long again: only another duration starts its clock anew. */
const staysMs = (type: AlertType): number => STAYS_MS[type] + Math.floor(Math.random() * 100)

/** An alert as a toast by its type (spec §8), with its link; it stays while it has the focus. */
const showAlert = (alert: AlertMessage): void => {
  const severity = SEVERITY_OF[alert.type]
  const link = internalLink(alert.link)
  const id = toastId(alert) ?? `alert-${crypto.randomUUID()}`
  const toast = {
    id,
    title: alert.title,
    message: (
      <>
        {alert.message}
        {link !== null && (
          <Link className={classes.link} to={link} onClick={() => notifications.hide(id)}>
            {fr.shell.open}
          </Link>
        )}
      </>
    ),
    icon:
      severity === null ? (
        <IconInfoCircle size={18} />
      ) : (
        <SeverityIcon severity={severity} size={18} label={fr.severity[severity]} />
      ),
    'data-severity': severity ?? undefined,
    'data-type': alert.type,
    // The place of the toasts says what comes, without cutting in.
    role: 'group',
    'aria-label': alert.title,
    closeButtonProps: { 'aria-label': fr.shell.closeToast(alert.title) },
    autoClose: staysMs(alert.type),
    onFocusCapture: () => notifications.update({ id, autoClose: false, message: toast.message }),
    onBlurCapture: () => notifications.update({ id, autoClose: staysMs(alert.type), message: toast.message }),
  }
  if (isShown(id)) notifications.update(toast)
  else notifications.show(toast)
}

const showStorm = (count: number): void => {
  const toast = {
    id: STORM_TOAST,
    title: fr.shell.storm(count),
    message: (
      <Link className={classes.link} to="/notifications">
        {fr.shell.open}
      </Link>
    ),
    icon: <IconInfoCircle size={18} />,
    autoClose: STAYS_MS.Error,
  }
  notifications.show(toast)
  // A toast that is already there is not shown twice: its count goes on.
  notifications.update(toast)
}

/** Hears the alerts of the « global » stream, and asks for those that were pushed while nobody listened. */
export const Alerts = () => {
  const client = useQueryClient()
  const inbox = useRef(createAlertInbox())
  const tell = useRef(createAlertStorm(matchMedia(NARROW).matches ? STORM_NARROW : STORM))
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const storm = useRef<{ count: number; timer: ReturnType<typeof setTimeout> | undefined }>({
    count: 0,
    timer: undefined,
  })
  const tellStorm = (count: number): void => {
    storm.current.count = count
    storm.current.timer ??= setTimeout(() => {
      storm.current.timer = undefined
      showStorm(storm.current.count)
    }, STORM_TOLD_MS)
  }
  useEffect(() => () => clearTimeout(storm.current.timer), [])

  const refreshList = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void client.invalidateQueries({ queryKey: NOTIFICATIONS_KEY })
    }, LIST_DELAY_MS)
  }

  const catchUp = async (): Promise<void> => {
    const after = inbox.current.place()
    try {
      const list = await call(notificationRoutes.list, { query: after === null ? {} : { after } })
      const missed = inbox.current.catchUp(list)
      if (missed.length > TOLD_ONE_BY_ONE) {
        showAlert({
          type: 'Info',
          title: fr.shell.missed(missed.length, list.notifications.length >= LIST_MAX),
          message: fr.shell.missedText,
          link: '/notifications',
        })
      } else for (const one of missed) showAlert(one)
    } catch {
      // Nothing is lost: the next join asks from the same place.
    }
  }

  const connected = useHubState('communication') === 'Connected'
  useEffect(() => {
    if (!connected) inbox.current.lose()
  }, [connected])
  useHubEvent('communication', GLOBAL_STREAM, alert => {
    if (!inbox.current.admit(alert)) return
    const id = toastId(alert)
    // What is said of an incident whose toast is there takes no place of its own.
    const told = id !== undefined && isShown(id) ? OWN : tell.current(Date.now())
    if (told.kind === 'own') showAlert(alert)
    else tellStorm(told.count)
    refreshList()
  })
  useHubJoined('communication', () => {
    void catchUp()
    refreshList()
  })
  return null
}
