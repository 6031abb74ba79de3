import { build, type Plugin, type PluginOption, type Rolldown } from 'vite'
import { type PlannedFile, planChunks } from './chunk-plan.ts'

interface GroupOptions {
  /** What makes the console's code; nothing that weighs or writes it. */
  readonly plugins: () => PluginOption[]
  /** Ends of module ids: what every signed-in page loads, and what is seen without it. */
  readonly shell: string
  readonly apart: readonly string[]
}

/**
 * Builds once to see which files the bundler would make, without writing them, and has it put what `planChunks` says into one
 * file: what is left out of each module is known only then.
 */
export const groupChunks = ({ plugins, shell, apart }: GroupOptions): Plugin => ({
  name: 'narval-group-chunks',
  apply: 'build',
  async config(config) {
    const { root, build: { target, assetsInlineLimit, modulePreload } = {} } = config
    const result = await build({
      ...{ configFile: false, root, logLevel: 'error', plugins: plugins() },
      build: {
        ...{ target, assetsInlineLimit, modulePreload },
        write: false,
        minify: false,
        reportCompressedSize: false,
      },
    })
    const outputs = [result].flat().flatMap(one => ('output' in one ? one.output : []))
    const groups = groupsOf(
      outputs.filter(one => one.type === 'chunk'),
      shell,
      apart,
    )
    return {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                {
                  debugName: 'shared',
                  name: (id: string) => groups.get(id) ?? null,
                  includeDependenciesRecursively: false,
                },
              ],
            },
          },
        },
      },
    }
  },
})

/** The name of the file of each module that is to share one, by the module's id. */
const groupsOf = (
  chunks: readonly Rolldown.OutputChunk[],
  shell: string,
  apart: readonly string[],
): ReadonlyMap<string, string> => {
  const files = new Map<string, PlannedFile>(
    chunks.map(({ fileName, imports, code }) => [fileName, { size: code.length, imports }]),
  )
  const ends = ({ facadeModuleId }: Rolldown.OutputChunk, end: string): boolean =>
    facadeModuleId?.endsWith(end) === true
  const named = (found: readonly Rolldown.OutputChunk[]): string[] => found.map(({ fileName }) => fileName)
  const [main = ''] = named(chunks.filter(({ isEntry }) => isEntry))
  const [framed = ''] = named(chunks.filter(chunk => ends(chunk, shell)))
  const unframed = named(chunks.filter(chunk => apart.some(end => ends(chunk, end))))
  const others = named(chunks.filter(({ isDynamicEntry }) => isDynamicEntry))
  const plan = planChunks({
    ...{ files, main, shell: framed, apart: unframed },
    pages: others.filter(name => name !== framed && !unframed.includes(name)),
  })
  return new Map(
    chunks.flatMap(({ fileName, moduleIds }) => {
      const group = plan.get(fileName)
      return group === undefined ? [] : moduleIds.map(id => [id, group] as const)
    }),
  )
}
