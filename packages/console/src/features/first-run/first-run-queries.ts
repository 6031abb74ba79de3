import { notifications } from '@mantine/notifications'
import {
  dashboardRoutes,
  fold,
  hostRoutes,
  hostStream,
  LOOK_LIMIT_MS,
  type Look,
  lookRoutes,
  type Metric,
  metricRoutes,
  scannerRoutes,
  siteRoutes,
} from '@narval/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'

/** The local probe comes within seconds of a start. */
const PROBE_MS = 3_000
/** For the server's own answer, beside the time that the probe may take. */
const ANSWER_MS = 10_000

/** How many probes there are, and how many are away. */
export const useProbeCounts = () =>
  useQuery({
    queryKey: ['first-run', 'probes'],
    queryFn: ({ signal }) => call(dashboardRoutes.main, { signal }),
    select: ({ probes, probesOffline }) => ({ probes, online: probes - probesOffline }),
    refetchInterval: PROBE_MS,
  })

/** The first sites by name; none on an empty console. */
export const useFirstSites = () =>
  useQuery({
    queryKey: ['first-run', 'sites'],
    queryFn: async ({ signal }) => (await siteOptions.search('', signal)).results,
  })

/** Addresses to begin with; none without the right to try them. */
export const useSuggestions = () => {
  const tries = useSession().canEverywhere('scanner_write')
  return useQuery({
    queryKey: ['first-run', 'suggestions'],
    queryFn: ({ signal }) => call(lookRoutes.suggestions, { signal }),
    enabled: tries,
  })
}

/** Has the site's probe try an address. */
export const lookAt = (address: string, siteId: number | null, signal: AbortSignal): Promise<Look> =>
  call(lookRoutes.look, { body: { address, siteId }, signal, timeoutMs: LOOK_LIMIT_MS + ANSWER_MS })

/** What is to be made: `site` is the id of one that is there, or what the first one is to be. */
export interface FirstHostDraft {
  readonly name: string
  readonly address: string
  readonly typeId: number | null
  readonly monitoringModelIds: readonly number[]
  /** The page to watch beside; null: none. */
  readonly page: string | null
  readonly site: number | { readonly name: string; readonly timeZone: string }
}

const CODE_LENGTH = 32
/** A code made of the name: « Site principal » → « SITE-PRINCIPAL ». */
const codeOf = (name: string): string =>
  fold(name)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, CODE_LENGTH) || 'SITE'

/** Creates the host, and its site first where there is none. */
export const useSupervise = (onDone: (hostId: number) => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ site, page, ...draft }: FirstHostDraft) => {
      const siteId = typeof site === 'number' ? site : await createSite(site)
      // Should the host be refused, the site is there for the next try.
      if (typeof site !== 'number') await client.invalidateQueries({ queryKey: ['first-run', 'sites'] })
      const host = await call(hostRoutes.create, {
        body: { ...draft, siteId, monitoringModelIds: [...draft.monitoringModelIds] },
      })
      // The host is there, whatever becomes of its page.
      const refusal = page === null ? null : await watchPage(host.id, page).then(() => null, errorText)
      return { host, refusal }
    },
    onSuccess: ({ host, refusal }) => {
      if (refusal !== null) notifications.show({ color: 'red', title: fr.found.pageRefused, message: refusal })
      void client.invalidateQueries({ queryKey: ['dashboard'] })
      onDone(host.id)
    },
  })
}
const createSite = async ({ name, timeZone }: { readonly name: string; readonly timeZone: string }): Promise<number> =>
  (await call(siteRoutes.create, { body: { name, timeZone, code: codeOf(name) } })).id

/** The equipment's own page: its certificate is its own, and it may ask for a password. */
const watchPage = (hostId: number, url: string): Promise<unknown> =>
  call(scannerRoutes.create, {
    body: {
      ...{ hostId, kind: 'http', name: 'Page web' },
      parameters: { url, status: '200-399,401,403', verifyTls: false, followRedirects: false },
    },
  })

/** The new host. */
export const useFirstHost = (id: number) =>
  useQuery({ queryKey: ['host', id], queryFn: ({ signal }) => call(hostRoutes.get, { params: { id }, signal }) })

/** Its metrics as they appear and get their values. */
export const useFirstMetrics = (id: number) => {
  const client = useQueryClient()
  const queryKey = ['host-metrics', id]
  useHubEvent('metric', hostStream(id), ({ metrics, entities }) => {
    const own = new Map(
      metrics
        .filter(metric => metric.hostId === id)
        .map(({ hostId: _host, siteId: _site, ...live }) => [live.id, live]),
    )
    const known = client.getQueryData<Metric[]>(queryKey) ?? []
    if (entities !== undefined || [...own.keys()].some(one => !known.some(metric => metric.id === one)))
      void client.invalidateQueries({ queryKey })
    client.setQueryData<Metric[]>(queryKey, list => list?.map(metric => ({ ...metric, ...own.get(metric.id) })))
  })
  useHubJoined('metric', () => void client.invalidateQueries({ queryKey }))
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call(metricRoutes.list, { query: { host: String(id) }, signal }),
  })
}
