import { PASSWORD_POLICY, type PublicConfiguration, parameterRoutes } from '@narval/contracts'
import { useSyncExternalStore } from 'react'
import { fr } from '../i18n/fr.ts'
import { request } from './http.ts'
import { transport } from './session.ts'

const DEFAULTS: PublicConfiguration = {
  name: fr.product,
  documentationUrl: '',
  contactUrl: '',
  passwordMinLength: PASSWORD_POLICY.minLength,
  passwordMaxLength: PASSWORD_POLICY.maxLength,
  logo: '',
}
let configuration = DEFAULTS
const listeners = new Set<() => void>()
let asked: Promise<void> | null = null

/** Asks once; without an answer the defaults stay. It also brings the cookie that calls other than GET need. */
export const loadPublicConfiguration = (): Promise<void> => {
  asked ??= request(transport, parameterRoutes.public, {}, null).then(
    reply => {
      configuration = reply
      for (const listener of [...listeners]) listener()
    },
    () => {
      asked = null
    },
  )
  return asked
}

/** Asks again: something of it was changed. */
export const reloadPublicConfiguration = (): Promise<void> => {
  asked = null
  return loadPublicConfiguration()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  void loadPublicConfiguration()
  return () => listeners.delete(listener)
}

/** Name of the product, links, password limits: readable before signing in. */
export const usePublicConfiguration = (): PublicConfiguration => useSyncExternalStore(subscribe, () => configuration)
