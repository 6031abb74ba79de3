import { SEVERITIES, type Severity } from '@narval/engine'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { PlacedSite } from './clusters.ts'

/** What of the map is held in the URL: the site that is open, the states and the type that are shown. */
export const useMapFilters = () => {
  const [params, setParams] = useSearchParams()
  const severity = params.get('severity') ?? ''
  const severities = useMemo(() => SEVERITIES.filter(one => severity.split(',').includes(one)), [severity])
  const typeId = idOf(params.get('type'))
  const selected = idOf(params.get('site'))
  const put = (changes: Readonly<Record<string, string | null>>): void =>
    setParams(
      before => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes))
          value === null || value === '' ? next.delete(name) : next.set(name, value)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return {
    severities,
    typeId,
    selected,
    select: (id: number | null): void => put({ site: id === null ? null : String(id) }),
    setType: (id: string | null): void => put({ type: id }),
    toggle: (one: Severity): void =>
      put({ severity: SEVERITIES.filter(each => severities.includes(each) !== (each === one)).join(',') }),
    clear: (): void => put({ severity: null, type: null }),
  }
}

const idOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null

/** Whether a site is among those asked for; no state asked for means all of them. */
export const matches = (
  site: Pick<PlacedSite, 'state' | 'typeId'>,
  severities: readonly Severity[],
  typeId: number | null,
): boolean =>
  (severities.length === 0 || severities.some(one => one === site.state)) && (typeId === null || site.typeId === typeId)
