import { expect, it } from 'vitest'
import { parseCommand } from './command-line.ts'

it('a command is run, check, help or version, with its file', () => {
  expect(parseCommand([])).toEqual({ kind: 'run', configFile: null })
  expect(parseCommand(['--config', '/etc/x.json'])).toEqual({ kind: 'run', configFile: '/etc/x.json' })
  expect(parseCommand(['--check', '-c', 'x'])).toEqual({ kind: 'check', configFile: 'x' })
  expect(parseCommand(['--version', '--check'])).toEqual({ kind: 'version' })
  expect(parseCommand(['-h'])).toEqual({ kind: 'help' })
})

it('an argument that is unknown, in excess or without its value is refused as it was given', () => {
  for (const args of [['--chek'], ['x'], ['--config'], ['--check=1']]) {
    expect(parseCommand(args)).toEqual({ kind: 'wrong', text: args.join(' ') })
  }
})
