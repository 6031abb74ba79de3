import {
  accountRoutes,
  CSRF_COOKIE,
  CSRF_HEADER,
  type ImportEntity,
  type ImportState,
  importRoutes,
} from '@narval/contracts'
import type { ApiClient } from '../e2e/kit/client.ts'
import type { RunningServer } from '../e2e/kit/server.ts'

export const csvOf = (header: string, rows: readonly string[]): string => `${header}\r\n${rows.join('\r\n')}\r\n`

/** The file as it is, which the JSON client can not send. */
export const upload = async (server: RunningServer, api: ApiClient, entity: ImportEntity, content: string) => {
  const authorization = `Bearer ${api.token()}`
  const offered = await fetch(`${server.url}${accountRoutes.ownClaims.path}`, { headers: { authorization } })
  const cookie = offered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const answer = await fetch(`${server.url}${importRoutes.file.path}?entity=${entity}`, {
    method: 'POST',
    headers: { authorization, cookie, [CSRF_HEADER]: cookie.slice(CSRF_COOKIE.length + 1), 'content-type': 'text/csv' },
    body: content,
  })
  const file = importRoutes.file.reply.parse(await answer.json())
  const mapping = Object.fromEntries(
    file.columns.flatMap(({ field }, column) => (field === null ? [] : [[String(column), field]])),
  )
  return { params: { id: String(file.id) }, body: { mapping, mode: 'upsert' as const, createTypes: true } }
}

export const runImport = async (api: ApiClient, input: Awaited<ReturnType<typeof upload>>): Promise<ImportState> => {
  await api.call(importRoutes.run, input)
  for (;;) {
    const state = await api.call(importRoutes.get, { params: input.params })
    if (state.state === 'done') return state
    if (state.state === 'failed') throw new Error(state.message)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
