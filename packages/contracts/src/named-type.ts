import * as z from 'zod/mini'
import { requiredLine } from './schema.ts'

/** Icons that a type of site or of equipment may have, by their Tabler names. */
export const TYPE_ICONS = [
  'building',
  'building-bank',
  'building-factory-2',
  'building-hospital',
  'building-skyscraper',
  'building-store',
  'building-warehouse',
  'home',
  'school',
  'world',
  'antenna',
  'battery-charging',
  'camera',
  'cloud',
  'cpu',
  'database',
  'device-desktop',
  'device-laptop',
  'devices',
  'phone',
  'printer',
  'router',
  'server',
  'server-2',
  'shield-lock',
  'switch',
  'temperature',
  'wall',
  'wifi',
] as const
export type TypeIcon = (typeof TYPE_ICONS)[number]

/** What one sends of a type of site or of equipment. */
export const namedTypeBody = z.object({ name: requiredLine(80), icon: z._default(z.enum(TYPE_ICONS), 'server') })
export type NamedTypeInput = z.output<typeof namedTypeBody>
