import { randomBytes } from 'node:crypto'
import { createSecretBox, type KeyStore, type SecretBox } from '../../secret-box.ts'
import { type Caller, createTestApp, type DIALECTS, type TestApp } from '../../testing/test-app.ts'

/** A key store in memory that remembers every list it was given. */
export const memoryStore = (): KeyStore & { saved: (readonly Buffer[])[] } => {
  const saved: (readonly Buffer[])[] = []
  return { keys: [randomBytes(32)], save: keys => saved.push(keys), saved }
}

export const CANARY = 'canari-5f1d0c'
export const SNMP = { version: 'v2c', community: `${CANARY}-communaute` } as const
export const HTTP = { username: 'supervision', password: `${CANARY}-motdepasse` } as const

/** An application whose keys a test holds, opened anew for each, and what tests of credentials do again and again. */
export const credentialKit = () => {
  let test: TestApp
  let box: SecretBox
  let admin: Caller
  const made = async (url: string, body: unknown): Promise<number> => (await admin.make(url, body)).id
  const site = (code: string, parentId: number | null = null) =>
    made('/api/Site/Create', { name: `Site ${code}`, code, parentId })
  const host = (name: string, siteId: number) => made('/api/Host/Create', { name, address: '127.0.0.1', siteId })
  const model = async (name: string): Promise<number> => {
    const row = { name, name_folded: name.toLowerCase(), description: '', definition: '{}', updated_by: null }
    const { id } = await test.database.db
      .insertInto('monitoring_model')
      .values({ ...row, created_at: 1, updated_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const bind = async (hostId: number, ...models: readonly number[]): Promise<void> => {
    for (const [position, model_id] of models.entries())
      await test.database.db
        .insertInto('host_monitoring_model')
        .values({ host_id: hostId, model_id, position })
        .execute()
  }
  const put = (owner: string, id: number, kind: string, settings: unknown, more: object = {}) =>
    admin.call('PUT', `/api/Credential/${owner}/${id}`, { kind, settings, ...more })
  const get = async (owner: string, id: number) => (await admin.call('GET', `/api/Credential/${owner}/${id}`)).body
  const rows = () => test.database.db.selectFrom('credential').selectAll().orderBy('id').execute()
  const scanner = (hostId: number, authentication: 'none' | 'host') =>
    made('/api/Scanner/Create', { name: authentication, kind: 'http', hostId, parameters: { authentication } })

  return {
    async open(dialect: (typeof DIALECTS)[number], store: KeyStore = memoryStore()): Promise<void> {
      box = createSecretBox(store)
      test = await createTestApp({ dialect, secrets: box })
      admin = await test.admin()
    },
    get test() {
      return test
    },
    get box() {
      return box
    },
    get admin() {
      return admin
    },
    made,
    site,
    host,
    model,
    bind,
    put,
    get,
    rows,
    scanner,
  }
}
