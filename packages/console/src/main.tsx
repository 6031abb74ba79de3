import '@fontsource-variable/inter/wght.css'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import * as z from 'zod/mini'
import { applyColorScheme } from './app/color-scheme.ts'
import { createRouter } from './app/router.tsx'
import './app/tokens.css'
import { loadPublicConfiguration } from './lib/public-configuration.ts'

// The policy forbids making code out of text: schemas must not even try.
z.config({ jitless: true })

setNonce(document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '')
applyColorScheme()
void loadPublicConfiguration()

const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={createRouter()} />
    </StrictMode>,
  )
}
