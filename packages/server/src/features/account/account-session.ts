import type { AccountSession } from '@narval/contracts'
import type { Selectable } from 'kysely'
import type { SessionTable } from '../../store/tables/account.ts'
import { toIso } from '../../store/time.ts'

/** What the login request said of its device (spec §3), as it was kept. */
const deviceOf = (json: string) => {
  const device: unknown = JSON.parse(json)
  const fields = new Map<string, unknown>(Object.entries(typeof device === 'object' && device !== null ? device : {}))
  const text = (name: string) => String(fields.get(name) ?? '')
  return {
    browser: text('browser'),
    browserVersion: text('browserVersion'),
    device: text('device'),
    deviceType: text('deviceType'),
    orientation: text('orientation'),
    os: text('os'),
    osVersion: text('osVersion'),
    userAgent: text('userAgent'),
    isMobile: fields.get('isMobile') === true,
    isTablet: fields.get('isTablet') === true,
    isDesktopDevice: fields.get('isDesktopDevice') === true,
  }
}

export const toAccountSession = (
  row: Selectable<SessionTable>,
  current: boolean,
  expiresMs: number,
): AccountSession => ({
  id: row.id,
  current,
  ...deviceOf(row.device),
  address: row.address,
  createdAt: toIso(row.created_at),
  lastUsedAt: toIso(row.last_used_at),
  expiresAt: toIso(expiresMs),
})
