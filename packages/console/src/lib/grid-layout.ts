/** A cell's place in the grid of hosts: which group, which of its hosts. */
export interface GridGroup<T> {
  readonly key: string
  readonly name: string
  readonly hosts: readonly T[]
}

/** A group as it is drawn: px from the top and the left of the grid. */
export interface PlacedGroup {
  /** Index of its first host, all groups counted on. */
  readonly first: number
  readonly count: number
  readonly top: number
  readonly left: number
  /** Top of its first row of cells: its name stands above. */
  readonly cellsTop: number
  readonly rows: number
}

export interface GridLayout {
  /** Px from one cell to the next, both ways. */
  readonly pitch: number
  /** Px of a cell's side. */
  readonly side: number
  /** Cells of a group's row. */
  readonly columns: number
  /** Px of such a row. */
  readonly blockWidth: number
  readonly count: number
  readonly height: number
  readonly groups: readonly PlacedGroup[]
}

interface GridSizes {
  readonly width: number
  readonly side: number
  readonly gap: number
  /** Height of a group's name. */
  readonly headPx: number
  /** Between two groups. */
  readonly betweenPx: number
}

/** No group is given less room than this beside others: its name stands above it. */
const LEAST_COLUMNS = 8
/** Cells left free between two groups that stand side by side. */
const BLOCK_GAP = 1

/** As many cells a row as nearly all groups need, so that small groups stand side by side; the few larger ones have more rows. */
const blockColumns = (counts: readonly number[], columns: number): number => {
  const sorted = counts.toSorted((a, b) => a - b)
  const usual = sorted[Math.floor((sorted.length - 1) * 0.9)] ?? 0
  const least = Math.min(columns, Math.max(LEAST_COLUMNS, usual))
  const perRow = Math.floor((columns + BLOCK_GAP) / (least + BLOCK_GAP))
  return Math.floor((columns + BLOCK_GAP) / perRow) - BLOCK_GAP
}

/** Places cells of one size in rows as wide as there is room, group under group, or side by side where they are small. */
export const layoutGrid = (counts: readonly number[], sizes: GridSizes): GridLayout => {
  const { width, side, gap, headPx, betweenPx } = sizes
  const pitch = side + gap
  const fitting = Math.max(1, Math.floor((width + gap) / pitch))
  const columns = blockColumns(counts, fitting)
  const perRow = Math.floor((fitting + BLOCK_GAP) / (columns + BLOCK_GAP))
  const groups: PlacedGroup[] = []
  let top = 0
  let first = 0
  for (let from = 0; from < counts.length; from += perRow) {
    const beside = counts.slice(from, from + perRow)
    for (const [place, count] of beside.entries()) {
      const left = place * (columns + BLOCK_GAP) * pitch
      groups.push({ first, count, top, left, cellsTop: top + headPx, rows: Math.ceil(count / columns) })
      first += count
    }
    top += headPx + Math.ceil(Math.max(...beside) / columns) * pitch - gap + betweenPx
  }
  const blockWidth = columns * pitch - gap
  return { pitch, side, columns, blockWidth, count: first, height: Math.max(0, top - betweenPx), groups }
}

const groupOf = (layout: GridLayout, index: number): PlacedGroup | undefined =>
  layout.groups.findLast(group => group.count > 0 && group.first <= index)

/** Upper left corner of a cell; null when there is none of this index. */
export const cellAt = (layout: GridLayout, index: number): { readonly x: number; readonly y: number } | null => {
  const group = index < 0 || index >= layout.count ? undefined : groupOf(layout, index)
  if (group === undefined) return null
  const place = index - group.first
  return {
    x: group.left + (place % layout.columns) * layout.pitch,
    y: group.cellsTop + Math.floor(place / layout.columns) * layout.pitch,
  }
}

/** Index of the cell under a point; null between cells and beside them. */
export const hitCell = (layout: GridLayout, x: number, y: number): number | null => {
  if (x < 0 || y < 0) return null
  const group = layout.groups.findLast(one => one.cellsTop <= y && one.left <= x)
  if (group === undefined) return null
  const column = Math.floor((x - group.left) / layout.pitch)
  const row = Math.floor((y - group.cellsTop) / layout.pitch)
  const isGap =
    x - group.left - column * layout.pitch >= layout.side || y - group.cellsTop - row * layout.pitch >= layout.side
  const place = row * layout.columns + column
  return isGap || column >= layout.columns || place >= group.count ? null : group.first + place
}

export const GRID_KEYS = [
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'PageUp',
  'PageDown',
] as const
export type GridKey = (typeof GRID_KEYS)[number]

/** Where a key leads from a cell: up and down keep the column as far as the rows go, across groups; ends stay where they are. */
export const stepCell = (layout: GridLayout, from: number, key: GridKey): number => {
  const last = layout.count - 1
  if (last < 0) return -1
  if (from < 0) return 0
  const group = layout.groups.findIndex(one => one.count > 0 && from >= one.first && from < one.first + one.count)
  const own = layout.groups[group]
  if (own === undefined) return last
  const place = from - own.first
  const column = place % layout.columns
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1)
    case 'ArrowRight':
      return Math.min(last, from + 1)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'ArrowUp': {
      if (place >= layout.columns) return from - layout.columns
      const above = layout.groups.slice(0, group).findLast(one => one.count > 0 && one.left === own.left)
      if (above === undefined) return from
      const lastRow = (above.rows - 1) * layout.columns
      return above.first + Math.min(above.count - 1, lastRow + column)
    }
    case 'ArrowDown': {
      if (Math.floor(place / layout.columns) < own.rows - 1)
        return own.first + Math.min(own.count - 1, place + layout.columns)
      const below = layout.groups.slice(group + 1).find(one => one.count > 0 && one.left === own.left)
      return below === undefined ? from : below.first + Math.min(below.count - 1, column)
    }
    case 'PageUp': {
      const above = layout.groups.slice(0, group).findLast(one => one.count > 0)
      return place > 0 ? own.first : (above?.first ?? from)
    }
    case 'PageDown':
      return layout.groups.slice(group + 1).find(one => one.count > 0)?.first ?? last
    default:
      return key satisfies never
  }
}

/** Side of the largest cells with which all groups fit into a height; at least `least`. */
export const sideThatFits = (
  counts: readonly number[],
  sizes: Omit<GridSizes, 'side'> & { readonly height: number; readonly least: number; readonly most: number },
): number => {
  for (let side = sizes.most; side > sizes.least; side--)
    if (layoutGrid(counts, { ...sizes, side }).height <= sizes.height) return side
  return sizes.least
}
