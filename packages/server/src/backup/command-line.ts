import { resolve } from 'node:path'
import { faultText } from '../services/fault-text.ts'
import { BackupRefused } from './refused.ts'

/** What a command was called with: one path at most, flags, and options that take a value. */
export interface CommandLine {
  readonly path: string | null
  has(flag: string): boolean
  value(option: string): string | null
}

/** npm runs scripts in the project's folder: a path is meant from where the person stands. */
export const fromHere = (path: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), path)

/** Null for anything that is not meant: an unknown flag, an option without its value, a second path. */
export const parseCommand = (
  args: readonly string[],
  flags: readonly string[],
  options: readonly string[],
): CommandLine | null => {
  const paths: string[] = []
  const found = new Map<string, string>()
  for (let i = 0; i < args.length; i++) {
    const [name = '', inline] = (args[i] ?? '').split(/=(.*)/s)
    if (!name.startsWith('--')) paths.push(args[i] ?? '')
    else if (flags.includes(name) && inline === undefined) found.set(name, '')
    else if (options.includes(name)) {
      const value = inline ?? args[++i]
      if (value === undefined || value === '' || value.startsWith('--')) return null
      found.set(name, value)
    } else return null
  }
  if (paths.length > 1) return null
  return { path: paths[0] ?? null, has: flag => found.has(flag), value: option => found.get(option) ?? null }
}

/** What a person is told of what stopped a command, a fault of the disk by its path; null for what needs more than a sentence. */
export const saidOf = (error: unknown): string | null => {
  if (error instanceof BackupRefused) return error.message
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return null
  return `${String(error.path)}\u202f: ${faultText(error)}.`
}

/** « 1,2 Go », in units of 1,000. */
export const sizeText = (bytes: number): string => {
  const steps = ['o', 'ko', 'Mo', 'Go', 'To']
  const step = bytes < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log10(bytes) / 3))
  const number = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 }).format(bytes / 1_000 ** step)
  return `${number} ${steps[step] ?? ''}`
}
