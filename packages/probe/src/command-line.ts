import { parseArgs } from 'node:util'

export type Command =
  | { readonly kind: 'run' | 'check'; readonly configFile: string | null }
  | { readonly kind: 'help' | 'version' }
  /** Arguments that make no sense, as they were given. */
  | { readonly kind: 'wrong'; readonly text: string }

/** Reads what follows the program's name. */
export const parseCommand = (args: readonly string[]): Command => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        config: { type: 'string', short: 'c' },
        check: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
    if (values.help === true) return { kind: 'help' }
    if (values.version === true) return { kind: 'version' }
    return { kind: values.check === true ? 'check' : 'run', configFile: values.config ?? null }
  } catch {
    return { kind: 'wrong', text: args.join(' ') }
  }
}
