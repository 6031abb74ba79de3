import { accountStream, GLOBAL_STREAM, HUBS } from '@narval/contracts'
import { REFUSED } from './hub/hub-method.ts'
import type { HubDefinition } from './hub/hubs.ts'

const STREAM = /^(global|[1-9]\d{0,9}|host:[1-9]\d{0,9})$/

/** The five hubs of the requirements: each lets a signed-in account follow `global` or an object. */
export const HUB_DEFINITIONS: readonly HubDefinition[] = Object.values(HUBS).map(({ path, join, leave }) => {
  const isStream = (args: readonly unknown[]): args is [string] =>
    args.length === 1 && typeof args[0] === 'string' && STREAM.test(args[0])
  const accepts = (args: readonly unknown[]): args is [string] =>
    isStream(args) && (path !== HUBS.communication.path || args[0] === GLOBAL_STREAM)
  return {
    path,
    methods: {
      [join]: (connection, args) => {
        if (!accepts(args) || !connection.join(args[0])) return REFUSED
        if (path === HUBS.communication.path) connection.join(accountStream(connection.identity.userId))
        return null
      },
      [leave]: (connection, args) => {
        if (!accepts(args)) return REFUSED
        connection.leave(args[0])
        return null
      },
    },
  }
})
