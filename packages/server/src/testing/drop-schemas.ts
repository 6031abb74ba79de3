import pg from 'pg'

const URL = process.env.NARVAL_TEST_POSTGRES

/** Run by vitest before all tests: what `openTestDatabase` makes from here on bears this run's name, and goes at its end. */
export const setup = (): void => {
  process.env.NARVAL_TEST_RUN = String(process.pid)
}

export const teardown = async (): Promise<void> => {
  if (URL === undefined) return
  const client = new pg.Client({ connectionString: URL })
  await client.connect()
  const { rows } = await client.query<{ nspname: string }>('select nspname from pg_namespace where nspname like $1', [
    `test\\_${process.pid}\\_%`,
  ])
  for (const { nspname } of rows) await client.query(`drop schema ${nspname} cascade`)
  await client.end()
}
