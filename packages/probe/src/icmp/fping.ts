import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { isIP } from 'node:net'
import { delimiter, join } from 'node:path'
import type { OnStop } from '../checks/check.ts'
import type { EchoPlan, EchoReport } from './pinger.ts'

/** Path of fping when it is installed: the way out where the system denies ICMP sockets to this process. */
export const findFping = (path: string = process.env.PATH ?? ''): string | null => {
  for (const folder of [...path.split(delimiter), '/usr/sbin', '/usr/local/sbin']) {
    const file = join(folder, 'fping')
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Not in this folder.
    }
  }
  return null
}

/** Runs of fping at once: each is a process. */
const MAX_PROCESSES = 8
let processes = 0
const waiting: (() => void)[] = []

/** One run through fping, without a shell (S39); null when fping is denied as well. The address is an IP address, never a name. */
export const runFping = async (file: string, plan: EchoPlan, onStop: OnStop): Promise<EchoReport | null> => {
  const started = performance.now()
  while (processes >= MAX_PROCESSES) {
    await new Promise<void>(resolve => waiting.push(resolve))
    if (performance.now() - started > plan.timeoutMs) return { sent: 0, rttsMs: [], error: null, sendError: EBUSY }
  }
  processes += 1
  try {
    return await spawnFping(file, plan, onStop)
  } finally {
    processes -= 1
    waiting.shift()?.()
  }
}

const EBUSY = 16

const spawnFping = (file: string, plan: EchoPlan, onStop: OnStop): Promise<EchoReport | null> => {
  if (isIP(plan.address) === 0) return Promise.resolve(null)
  const spacing = Math.max(10, plan.spacingMs)
  const wait = Math.max(10, Math.round(plan.timeoutMs - spacing * (plan.count - 1)))
  const options = [
    '-q',
    '-C',
    String(plan.count),
    '-p',
    String(Math.round(spacing)),
    '-t',
    String(wait),
    '-b',
    String(plan.size),
    '-r',
    '0',
  ]
  return new Promise(resolve => {
    const limits = { timeout: Math.ceil(plan.timeoutMs) + 1_000, maxBuffer: 65_536 }
    const child = execFile(file, [...options, '--', plan.address], limits, (_error, _out, errors) => {
      forget()
      resolve(parseFping(errors, plan.count))
    })
    const forget = onStop(() => child.kill())
  })
}

/** Reads `address : 0.05 - 0.04`: a dash is a lost echo. Null when fping says anything else. */
export const parseFping = (text: string, count: number): EchoReport | null => {
  const line = text.split('\n').find(one => / : (?:-|\d+\.\d+)(?: |$)/.test(one))
  if (line === undefined) return null
  const times = line
    .slice(line.indexOf(' : ') + 3)
    .trim()
    .split(/\s+/)
  return { sent: count, rttsMs: times.filter(time => time !== '-').map(Number), error: null, sendError: null }
}
