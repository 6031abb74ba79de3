export interface SparklineBox {
  readonly fromMs: number
  readonly toMs: number
  readonly width: number
  readonly height: number
}

/** A hole longer than this many times the usual step is drawn as a gap. */
const GAP_STEPS = 3
const MARGIN = 2

/** SVG paths of a series in a box, one a run of points without a gap; a flat series lies in the middle. */
export const sparklinePaths = (
  at: readonly number[],
  value: readonly (number | null)[],
  box: SparklineBox,
): string[] => {
  const points = at.flatMap((x, index) => {
    const y = value[index]
    return y === null || y === undefined ? [] : [{ x, y }]
  })
  if (points.length < 2) return []
  const low = Math.min(...points.map(point => point.y))
  const high = Math.max(...points.map(point => point.y))
  const gapMs = usualStep(points.map(point => point.x)) * GAP_STEPS
  const px = (x: number) => (((x - box.fromMs) / (box.toMs - box.fromMs)) * box.width).toFixed(1)
  const py = (y: number) =>
    (high === low ? box.height / 2 : MARGIN + (1 - (y - low) / (high - low)) * (box.height - 2 * MARGIN)).toFixed(1)
  const paths: string[] = []
  let path = ''
  let previous = Number.NEGATIVE_INFINITY
  for (const { x, y } of points) {
    const isGap = x - previous > gapMs
    if (isGap && path.includes('L')) paths.push(path)
    path = isGap ? `M${px(x)} ${py(y)}` : `${path}L${px(x)} ${py(y)}`
    previous = x
  }
  return path.includes('L') ? [...paths, path] : paths
}

const usualStep = (at: readonly number[]): number => {
  const steps = at.slice(1).map((x, index) => x - (at[index] ?? x))
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
}
