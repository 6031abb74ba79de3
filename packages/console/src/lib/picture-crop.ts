/** What of a picture is shown: how much it is enlarged (1: its shorter side fills the square), around which point (0 to 1). */
export interface Crop {
  readonly zoom: number
  readonly x: number
  readonly y: number
}
export const WHOLE: Crop = { zoom: 1, x: 0.5, y: 0.5 }
export const LONGEST_ZOOM = 4

/** The square of the picture, in its pixels, that a crop shows: never beyond its edges. */
export const cropSquare = ({ zoom, x, y }: Crop, width: number, height: number) => {
  const side = Math.min(width, height) / Math.min(Math.max(zoom, 1), LONGEST_ZOOM)
  const from = (at: number, length: number): number => Math.min(Math.max(at * length - side / 2, 0), length - side)
  return { left: from(x, width), top: from(y, height), side }
}

/** A crop after a move on screen by so many of the shown square's sides, kept within the picture. */
export const moved = (crop: Crop, dx: number, dy: number, width: number, height: number): Crop => {
  const { left, top, side } = cropSquare(crop, width, height)
  const at = (start: number, by: number, length: number): number =>
    Math.min(Math.max(start + side / 2 - by * side, side / 2), length - side / 2) / length
  return { zoom: crop.zoom, x: at(left, dx, width), y: at(top, dy, height) }
}
