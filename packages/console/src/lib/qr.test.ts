import { expect, test } from 'vitest'
import { qrCode } from './qr.ts'

const shown = (rows: readonly boolean[][]): string[] => rows.map(row => row.map(dark => (dark ? '#' : '.')).join(''))

test('draws the code that another program has read back as the text', () => {
  expect(shown(qrCode('NARVAL'))).toEqual([
    '#######.###...#######',
    '#.....#.##..#.#.....#',
    '#.###.#.##..#.#.###.#',
    '#.###.#..##.#.#.###.#',
    '#.###.#.#.#.#.#.###.#',
    '#.....#..####.#.....#',
    '#######.#.#.#.#######',
    '.........#.##........',
    '#..######.#.##..#.###',
    '##.##...##..#.#.#.#.#',
    '..##..###.#..##.#.###',
    '#..###..#..#......#.#',
    '...#####.#....#...#..',
    '........#..##.....###',
    '#######.##..#####....',
    '#.....#.#..###..###..',
    '#.###.#.#####.#.#.###',
    '#.###.#.#.###...#.#..',
    '#.###.#..#....#.##.##',
    '#.....#...#..###.####',
    '#######.#..#...##.#..',
  ])
})

test('takes the smallest version that holds the bytes (ISO/IEC 18004, level M), 412 at most', () => {
  const sizes = [14, 15, 26, 27, 84, 85, 106, 107, 180, 181, 213, 214, 412].map(
    length => qrCode('a'.repeat(length)).length,
  )
  expect(sizes).toEqual([21, 25, 25, 29, 37, 41, 41, 45, 53, 57, 57, 61, 77])
  expect(qrCode('é'.repeat(7)).length).toBe(21)
  expect(() => qrCode('a'.repeat(413))).toThrow(RangeError)
})
