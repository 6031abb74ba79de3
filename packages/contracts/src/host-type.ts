import * as z from 'zod/mini'
import { requiredLine } from './schema.ts'

/** Names of the icons that a type of equipment may have: Tabler's, those that the console ships. */
export const HOST_TYPE_ICONS = [
  'server',
  'server-2',
  'router',
  'switch',
  'wall',
  'shield-lock',
  'wifi',
  'antenna',
  'printer',
  'battery',
  'camera',
  'phone',
  'device-desktop',
  'device-laptop',
  'cpu',
  'cloud',
  'world',
  'database',
  'temperature',
  'device',
] as const
/** What one sends of a type of equipment. */
export const hostTypeBody = z.object({ name: requiredLine(80), icon: z._default(z.enum(HOST_TYPE_ICONS), 'server') })
export type HostTypeInput = z.output<typeof hostTypeBody>
