import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import {
  mantineStyles,
  perFileImports,
  precompress,
  preloadFont,
  sectionBudget,
  transferBudget,
} from './build-plugins.ts'
import { guidePages } from './guide/plugin.ts'
import { groupChunks } from './tools/chunk-groups.ts'

/** The server that `npm run dev` talks to. */
const SERVER = process.env.NARVAL_DEV_SERVER ?? 'http://127.0.0.1:8080'
const proxied = Object.fromEntries(
  ['/api', '/Hub', '/health', '/guide', '/avatar', '/logo'].map(path => [
    path,
    {
      target: SERVER,
      ws: true,
      changeOrigin: false,
      // The one page of the console under the API's addresses.
      bypass: ({ url }: { url?: string }) => (/^\/api\/docs\/?(\?|$)/.test(url ?? '') ? '/index.html' : undefined),
    },
  ]),
)

const SHELL = '/src/app/shell/shell.tsx'
/** What makes the code, without what weighs or writes it. */
const making = () => [react(), perFileImports(), mantineStyles()]

export default defineConfig({
  plugins: [
    ...making(),
    guidePages('../../docs/guide', '../../docs/images/guide'),
    groupChunks({
      plugins: making,
      shell: SHELL,
      apart: ['/login-page.tsx', '/password-reset-page.tsx', '/wall-pages.tsx'],
    }),
    preloadFont(),
    precompress(),
    transferBudget({ pages: ['/src/features/sign-in/login-page.tsx'], limitBytes: 200_000 }),
    sectionBudget({ shell: [SHELL], limitBytes: 120_000, limitFiles: 90 }),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // The policy allows no data: address and nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome120', 'firefox121', 'safari17'],
  },
  server: { host: '127.0.0.1', port: 5173, proxy: proxied },
})
