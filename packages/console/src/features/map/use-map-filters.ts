import { SEVERITIES, type Severity } from '@narval/engine'
import { useMemo } from 'react'
import { idOf } from '../../lib/address.ts'
import { useAddress } from '../../ui/use-address.ts'
import type { PlacedSite } from './clusters.ts'

/** What of the map is held in the address besides its place: the site that is open, the states and the type that are shown. */
export const useMapFilters = () => {
  const { params, put } = useAddress()
  const severity = params.get('severity') ?? ''
  const severities = useMemo(() => SEVERITIES.filter(one => severity.split(',').includes(one)), [severity])
  const typeId = idOf(params.get('type'))
  const selected = idOf(params.get('site'))
  return {
    severities,
    typeId,
    selected,
    select: (id: number | null): void => put({ site: id === null ? null : String(id) }),
    setType: (id: string | null): void => put({ type: id }),
    toggle: (one: Severity): void =>
      put({ severity: SEVERITIES.filter(each => severities.includes(each) !== (each === one)).join(',') }),
    /** Null where nothing is filtered. */
    clear: severities.length === 0 && typeId === null ? null : (): void => put({ severity: null, type: null }),
  }
}

/** Whether a site is among those asked for; no state asked for means all of them. */
export const matches = (
  site: Pick<PlacedSite, 'state' | 'typeId'>,
  severities: readonly Severity[],
  typeId: number | null,
): boolean =>
  (severities.length === 0 || severities.some(one => one === site.state)) && (typeId === null || site.typeId === typeId)
