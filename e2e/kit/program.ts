import { type ChildProcess, spawn } from 'node:child_process'

/** A program of Narval that runs as a process of its own. */
export interface Program {
  readonly pid: number
  /** What it printed so far, both streams. */
  output(): string
  /** Resolves with the exit code, null when a signal ended it. */
  readonly exited: Promise<number | null>
  kill(signal: NodeJS.Signals): void
}

const running = new Set<ChildProcess>()
/** Nothing outlives the tests, whatever their end. */
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a TypeScript file with this very Node and this environment, PATH and the cache of compiled files added; nothing else is inherited. */
export const spawnProgram = (file: string, env: Readonly<Record<string, string>>): Program =>
  spawnCommand(process.execPath, [file], {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    ...env,
  })

/** Starts any command, in this folder and as this user where they are said. */
export const spawnCommand = (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
  uid?: number,
): Program => {
  const identity = uid === undefined ? {} : { uid, gid: uid }
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env, cwd, ...identity })
  running.add(child)
  const chunks: Buffer[] = []
  child.stdout.on('data', chunk => chunks.push(chunk))
  child.stderr.on('data', chunk => chunks.push(chunk))
  const exited = new Promise<number | null>(resolve => {
    child.once('exit', code => {
      running.delete(child)
      resolve(code)
    })
  })
  return {
    pid: child.pid ?? 0,
    output: () => Buffer.concat(chunks).toString(),
    exited,
    kill: signal => child.kill(signal),
  }
}

/** Ends a program at once, whatever it does or stands still in. */
export const endProgram = async (program: Program): Promise<void> => {
  program.kill('SIGKILL')
  await program.exited
}
