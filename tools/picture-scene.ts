import { createServer, type Server } from 'node:http'
import {
  ALWAYS,
  accountRoutes,
  acknowledgementRoutes,
  commentRoutes,
  dashboardRoutes,
  discoveryRoutes,
  notificationChannelRoutes,
  notificationRuleRoutes,
  siteRoutes,
  userGroupRoutes,
} from '@narval/contracts'
import type { Page } from 'playwright-core'
import type { ApiClient } from '../e2e/kit/client.ts'

const PEOPLE = [
  { login: 'claire.martin', firstName: 'Claire', lastName: 'Martin', avatar: 'phare', group: 'Exploitants' },
  { login: 'yann.le-goff', firstName: 'Yann', lastName: 'Le Goff', avatar: 'boussole', group: 'Exploitants' },
  { login: 'ines.haddad', firstName: 'Inès', lastName: 'Haddad', avatar: 'voile', group: 'Lecteurs' },
] as const

/** Takes whatever the channels of the scene send; close it at the end. */
export const startReceiver = async (): Promise<{ readonly url: string; readonly server: Server }> => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, server }
}

/** What the guide's pictures show beside the demonstration's fleet: people, a channel, a rule, a range that was explored. */
export const setScene = async (api: ApiClient, receiver: string): Promise<void> => {
  const groups = await api.call(userGroupRoutes.list)
  const accounts = await Promise.all(
    PEOPLE.map(({ group, ...person }) =>
      api.call(accountRoutes.create, {
        body: {
          ...person,
          email: `${person.login}@exemple.fr`,
          phone: '+33612345678',
          groups: groups.filter(({ name }) => name === group).map(({ id }) => id),
        },
      }),
    ),
  )
  const channel = await api.call(notificationChannelRoutes.create, {
    body: { name: 'Salle d’exploitation', kind: 'ntfy', settings: { server: receiver, topic: 'alertes' } },
  })
  const sms = await api.call(notificationChannelRoutes.create, {
    body: { name: 'SMS d’astreinte', kind: 'sms', settings: { url: `${receiver}/sms` } },
  })
  const common = {
    ...{ enabled: true, siteIds: [], hostTypeIds: [], tags: [], period: ALWAYS, tellRecovery: true, tellBrief: false },
    ...{ waitSeconds: null, newsMinutes: null, reminderMinutes: null, stop: false },
  }
  const step = { untilMinutes: null, groupIds: [], channelIds: [channel.id] }
  const onCall = accounts.slice(0, 1).map(({ idUser }) => idUser)
  await api.call(notificationRuleRoutes.create, {
    body: {
      ...{ ...common, name: 'Astreinte : équipements en panne', severities: ['error'], kinds: ['host', 'probe'] },
      steps: [
        { ...step, afterMinutes: 0, accountIds: [] },
        { ...step, afterMinutes: 15, accountIds: onCall, channelIds: [sms.id] },
      ],
    },
  })
  await api.call(notificationRuleRoutes.create, {
    body: {
      ...{ ...common, name: 'Heures ouvrées : alertes', severities: ['warning', 'unknown'], kinds: ['host', 'metric'] },
      steps: [{ ...step, afterMinutes: 0, accountIds: [] }],
    },
  })
  const [site] = await api.call(siteRoutes.list)
  const range = await api.call(discoveryRoutes.create, {
    body: { name: 'Réseau du siège', siteId: site?.id ?? 0, ranges: '127.20.0.1-127.20.0.30, 127.45.0.1-127.45.0.6' },
  })
  await api.call(discoveryRoutes.run, { params: { id: String(range.id) } })
}

/** Somebody takes care of some of the problems there are now, and says so. */
export const actOnProblems = async (api: ApiClient): Promise<void> => {
  const { data } = await api.call(dashboardRoutes.datatable.put, {
    body: { length: 50, filters: { view: 'problems' } },
  })
  const [shown, other] = [...new Map(data.map(row => [row.incidentId, row])).values()].filter(
    row => row.incidentId !== null,
  )
  if (shown?.incidentId != null) {
    const comment = { kind: 'incident' as const, id: shown.incidentId }
    await api.call(commentRoutes.create, {
      body: { ...comment, text: 'Le prestataire est prévenu, retour avant midi.' },
    })
    await api.call(commentRoutes.create, {
      body: { kind: 'host', id: shown.hostId, text: 'Baie 4, accès par le gardien : 02 99 00 00 00.', pinned: true },
    })
  }
  if (other?.incidentId != null)
    await api.call(acknowledgementRoutes.acknowledge, {
      params: { id: String(other.incidentId) },
      body: { comment: 'Coupure annoncée par l’opérateur.' },
    })
}

/** What is done on a screen before its picture is taken, by its name. */
export const ACTS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  simulateur: async page => {
    await page.getByRole('main').getByPlaceholder('Chercher').first().click()
    await page.getByRole('option').first().click()
    await page.getByRole('button', { name: 'Simuler' }).click()
    const result = page.getByText('Ce qui serait envoyé')
    await result.waitFor()
    // The browser's own control of a date speaks its language, not the console's.
    await result.evaluate(title => scrollTo(0, title.getBoundingClientRect().top - 120))
  },
}
