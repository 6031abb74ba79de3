import { expect, test } from 'vitest'
import { cropSquare, moved, WHOLE } from './picture-crop.ts'

test('shows the middle of a picture, as large as its shorter side', () => {
  expect(cropSquare(WHOLE, 400, 300)).toEqual({ left: 50, top: 0, side: 300 })
  expect(cropSquare(WHOLE, 300, 400)).toEqual({ left: 0, top: 50, side: 300 })
  expect(cropSquare({ ...WHOLE, zoom: 2 }, 400, 400)).toEqual({ left: 100, top: 100, side: 200 })
})

test('never shows what lies beyond the edges, however far it is moved or enlarged', () => {
  for (const [dx, dy] of [
    [9, 9],
    [-9, -9],
    [0.3, -4],
  ] as const)
    for (const zoom of [0.1, 1, 3, 99]) {
      const crop = moved({ ...WHOLE, zoom }, dx, dy, 640, 480)
      const { left, top, side } = cropSquare(crop, 640, 480)
      expect([left >= 0, top >= 0, left + side <= 640, top + side <= 480]).toEqual([true, true, true, true])
    }
})

test('a move by a quarter of what is shown moves the picture by as much, and back', () => {
  const crop = moved({ ...WHOLE, zoom: 2 }, 0.25, 0, 400, 400)
  expect(cropSquare(crop, 400, 400)).toEqual({ left: 50, top: 100, side: 200 })
  expect(cropSquare(moved(crop, -0.25, 0, 400, 400), 400, 400)).toEqual({ left: 100, top: 100, side: 200 })
})
