import { CSRF_COOKIE, CSRF_HEADER, type ImportEntity, type ImportInput } from '@narval/contracts'
import { expect } from 'vitest'
import { CSV_BOM, csvLine } from '../../csv/csv-write.ts'
import type { Answered, Caller, TestApp } from '../../testing/test-app.ts'

/** A file as exports write it. */
export const csv = (...rows: readonly (readonly (string | number | boolean | null)[])[]): Buffer =>
  Buffer.from(CSV_BOM + rows.map(csvLine).join(''), 'utf8')

/** What a call of this account carries. */
export const headersOf = (caller: Caller) => ({
  authorization: `Bearer ${caller.token}`,
  [CSRF_HEADER]: caller.csrf,
  cookie: `${CSRF_COOKIE}=${caller.csrf}`,
})

/** The columns that were understood, as a mapping. */
const mappingOf = (file: Answered): Record<string, string> =>
  Object.fromEntries(
    file.columns.flatMap((column: Answered, at: number) => (column.field === null ? [] : [[String(at), column.field]])),
  )

/** The steps of an import, as an account goes through them. */
export const importing = (test: TestApp, admin: Caller) => {
  const upload = async (caller: Caller, entity: ImportEntity, content: Buffer, type = 'text/csv') => {
    const answer = await test.app.http.inject({
      method: 'POST',
      url: `/api/Import/File?entity=${entity}&name=essai.csv`,
      headers: { ...headersOf(caller), 'content-type': type },
      payload: content,
    })
    return {
      status: answer.statusCode,
      body: answer.body === '' ? null : (JSON.parse(answer.body) as Answered),
      headers: answer.headers,
    }
  }
  /** Uploads, and takes the mapping that is guessed. */
  const understood = async (entity: ImportEntity, content: Buffer, caller = admin) => {
    const file = await upload(caller, entity, content)
    expect([file.status, file.body.errors]).toEqual([201, undefined])
    return { file: file.body, mapping: mappingOf(file.body) }
  }
  const check = async (entity: ImportEntity, content: Buffer, input: Partial<ImportInput> = {}) => {
    const { file, mapping } = await understood(entity, content)
    const answer = await admin.call('POST', `/api/Import/Check/${file.id}`, { mapping, mode: 'upsert', ...input })
    expect([answer.status, answer.body.errors?.[0]?.message ?? answer.body.detail]).toEqual([
      200,
      answer.body.errors[0]?.message,
    ])
    return answer.body
  }
  const ended = async (id: number, caller = admin): Promise<Answered> => {
    for (;;) {
      const { body } = await caller.call('GET', `/api/Import/Get/${id}`)
      if (body.state === 'done' || body.state === 'failed') return body
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  const run = async (entity: ImportEntity, content: Buffer, input: Partial<ImportInput> = {}) => {
    const { file, mapping } = await understood(entity, content)
    const started = await admin.call('POST', `/api/Import/Run/${file.id}`, { mapping, mode: 'upsert', ...input })
    expect([started.status, started.body.state]).toEqual([200, 'running'])
    return ended(file.id)
  }
  return { upload, understood, check, ended, run }
}
