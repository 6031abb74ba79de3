import { accountStream, DISPLAY_STREAM, GLOBAL_STREAM, HUBS, LOG_STREAM, SERVICES_STREAM } from '@narval/contracts'
import { type HubConnection, REFUSED } from './hub/hub-method.ts'
import type { HubDefinition } from './hub/hubs.ts'

const STREAM = /^(global|[1-9]\d{0,9}|host:[1-9]\d{0,9})$/

/** An unattended screen, known by its id below zero, follows this alone; an account may too. */
const isWallStream = (path: string, stream: string): boolean => path === HUBS.service.path && stream === DISPLAY_STREAM

/** They say that something was written, or is otherwise, and nothing else: what, one asks with one's rights. */
const isNewsStream = (path: string, stream: string): boolean =>
  path === HUBS.service.path && (stream === LOG_STREAM || stream === SERVICES_STREAM)

/** The five hubs of the requirements: each lets a signed-in account follow `global` or an object. */
export const HUB_DEFINITIONS: readonly HubDefinition[] = Object.values(HUBS).map(({ path, join, leave }) => {
  const isStream = (stream: string): boolean =>
    isNewsStream(path, stream) ||
    (STREAM.test(stream) && (path !== HUBS.communication.path || stream === GLOBAL_STREAM))
  const accepts = ({ identity }: HubConnection, args: readonly unknown[]): args is [string] =>
    args.length === 1 &&
    typeof args[0] === 'string' &&
    (isWallStream(path, args[0]) || (identity.userId > 0 && isStream(args[0])))
  return {
    path,
    methods: {
      [join]: (connection, args) => {
        if (!accepts(connection, args) || !connection.join(args[0])) return REFUSED
        if (path === HUBS.communication.path) connection.join(accountStream(connection.identity.userId))
        return null
      },
      [leave]: (connection, args) => {
        if (!accepts(connection, args)) return REFUSED
        connection.leave(args[0])
        return null
      },
    },
  }
})
