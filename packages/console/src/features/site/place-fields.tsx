import { Button } from '@mantine/core'
import type { SiteInput, siteBody } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { GeoPoint } from '../../lib/map-view.ts'
import { siteTreeQuery } from '../../lib/site-tree.ts'
import { NumberField } from '../../ui/form-fields.tsx'
import { Wide } from '../../ui/form-shell.tsx'
import { MapPicker } from '../../ui/map-picker.tsx'
import { fr } from './fr.ts'

export type SiteValues = z.input<typeof siteBody>
export type SiteFormState = UseFormReturn<SiteValues, unknown, SiteInput>

/** The other sites that have a place, for orientation. */
export const useOtherPlaces = (own: number | null) => {
  const { data } = useQuery(siteTreeQuery)
  return useMemo(
    () =>
      (data ?? []).flatMap(({ id, name, latitude, longitude }) =>
        id === own || latitude === null || longitude === null ? [] : [{ id, name, latitude, longitude }],
      ),
    [data, own],
  )
}

/** The site's point: on the map, or as two numbers below it. */
export const PlaceFields = ({ form, own }: { readonly form: SiteFormState; readonly own: number | null }) => {
  const { control } = form
  const [latitude, longitude] = useWatch({ control, name: ['latitude', 'longitude'] })
  const others = useOtherPlaces(own)
  const point = useMemo(
    () => (typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : null),
    [latitude, longitude],
  )
  const set = (next: GeoPoint | null): void => {
    const options = { shouldDirty: true, shouldTouch: true, shouldValidate: true }
    form.setValue('latitude', next?.latitude ?? null, options)
    form.setValue('longitude', next?.longitude ?? null, options)
  }
  const { fields, help } = fr
  return (
    <>
      <Wide>
        <MapPicker label={fr.map.pick} value={point} onPick={set} others={others} />
      </Wide>
      <NumberField control={control} name="latitude" label={fields.latitude} help={help.latitude} decimals={6} />
      <NumberField control={control} name="longitude" label={fields.longitude} help={help.longitude} decimals={6} />
      {point !== null && (
        <Wide>
          <Button variant="subtle" size="compact-md" onClick={() => set(null)}>
            {fr.map.clear}
          </Button>
        </Wide>
      )}
    </>
  )
}
