import { Select } from '@mantine/core'
import { SEVERITIES } from '@narval/engine'
import { useMemo } from 'react'
import { fr as words } from '../../i18n/fr.ts'
import { formatNumber } from '../../lib/format.ts'
import { FreshnessSign } from '../../ui/freshness.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import toolbar from '../../ui/toolbar.module.css'
import { countStates, type PlacedSite } from './clusters.ts'
import { fr } from './fr.ts'
import classes from './map-filters.module.css'
import type { useMapFilters } from './use-map-filters.ts'

interface MapFiltersProps {
  readonly filters: ReturnType<typeof useMapFilters>
  readonly placed: readonly PlacedSite[]
  readonly shown: number
}

/** Which sites are on the map: their states, with how many there are of each, and their type. */
export const MapFilters = ({ filters, placed, shown }: MapFiltersProps) => {
  const counts = countStates(placed)
  const types = useMemo(() => typesOf(placed), [placed])
  return (
    <div className={toolbar.toolbar}>
      <fieldset className={classes.states} aria-label={fr.filterState}>
        {SEVERITIES.map(one => (
          <button
            key={one}
            type="button"
            className={classes.state}
            aria-pressed={filters.severities.includes(one)}
            onClick={() => filters.toggle(one)}
          >
            <SeverityIcon severity={one} size={15} />
            {words.severity[one]}
            <span className={classes.count}>{formatNumber(counts[one], 0)}</span>
          </button>
        ))}
      </fieldset>
      {types.length > 1 && (
        <Select
          className={classes.types}
          aria-label={fr.filterType}
          placeholder={fr.allTypes}
          data={types}
          value={filters.typeId === null ? null : String(filters.typeId)}
          onChange={filters.setType}
          clearable
          searchable
        />
      )}
      <span className={toolbar.spacer} />
      <FreshnessSign hub="site" />
      <output className={toolbar.count} aria-live="polite">
        {shown === placed.length ? fr.sites(shown) : fr.shownOf(shown, placed.length)}
      </output>
    </div>
  )
}

const typesOf = (sites: readonly PlacedSite[]) => {
  const names = new Map(
    sites.flatMap(({ typeId, typeName }) =>
      typeId === null || typeName === null ? [] : [[typeId, typeName] as const],
    ),
  )
  return [...names]
    .map(([id, label]) => ({ value: String(id), label }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'fr'))
}
