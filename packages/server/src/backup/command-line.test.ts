import { expect, it } from 'vitest'
import { parseCommand, saidOf, sizeText } from './command-line.ts'
import { BackupRefused } from './refused.ts'

const parse = (...args: string[]) => parseCommand(args, ['--replace'], ['--keep'])

it('a command line is one path, flags, and options with their value in either form', () => {
  const given = parse('/a b', '--keep', '3', '--replace')
  expect([given?.path, given?.value('--keep'), given?.has('--replace')]).toEqual(['/a b', '3', true])
  expect(parse('--keep=3')?.value('--keep')).toBe('3')
  expect(parse()?.path).toBe(null)
})

it('what is not meant is refused: a second path, an unknown flag, a value that lacks or is too many', () => {
  for (const args of [['a', 'b'], ['--sans-clés'], ['--keep'], ['--keep', '--replace'], ['--keep='], ['--replace=1']])
    expect([args, parse(...args)]).toEqual([args, null])
})

it('sizes are said in units that people read', () => {
  expect([0, 999, 1_200, 1_234_567, 5e13].map(sizeText)).toEqual(['0 o', '999 o', '1,2 ko', '1,2 Mo', '50 To'])
})

it('what a disk refuses is said in French with its path; a fault of the program is not hidden behind a sentence', () => {
  const error = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/var/backups/narval' })
  expect(saidOf(error)).toBe('/var/backups/narval\u202f: l’accès est refusé (EACCES).')
  expect(saidOf(new BackupRefused('Non.'))).toBe('Non.')
  expect(saidOf(new TypeError('x is undefined'))).toBe(null)
})
