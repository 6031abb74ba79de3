import { Button, Group, SegmentedControl } from '@mantine/core'
import { IconZoomReset } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { RANGES, rangeOf } from '../lib/chart-data.ts'

export interface Zoom {
  readonly fromMs: number
  readonly toMs: number
}

/** The range that a page's charts show: in the URL; a zoom by drag is held until it is left. */
export const useRange = () => {
  const [params, setParams] = useSearchParams()
  const [zoom, setZoom] = useState<Zoom | null>(null)
  const range = rangeOf(params.get('range'))
  const setRange = (key: string): void => {
    setZoom(null)
    setParams(
      before => {
        const next = new URLSearchParams(before)
        if (key === RANGES[0].key) next.delete('range')
        else next.set('range', key)
        return next
      },
      { replace: true },
    )
  }
  return { range, setRange, zoom, setZoom }
}

export const RangeControl = ({ range, setRange, zoom, setZoom }: ReturnType<typeof useRange>) => (
  <Group gap="xs" wrap="nowrap">
    {zoom !== null && (
      <Button variant="default" size="xs" leftSection={<IconZoomReset size={15} />} onClick={() => setZoom(null)}>
        Toute la période
      </Button>
    )}
    <SegmentedControl
      aria-label="Période des graphiques"
      size="sm"
      value={range.key}
      onChange={setRange}
      data={RANGES.map(({ key, label }) => ({ value: key, label }))}
    />
  </Group>
)
