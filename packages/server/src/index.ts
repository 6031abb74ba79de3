export { type App, type AppDeps, createApp } from './app.ts'
export { prepareDatabase } from './first-start.ts'
export { openEmbeddedSampleStore } from './samples/embedded.ts'
export { openPostgres, openSqlite } from './store/database.ts'
