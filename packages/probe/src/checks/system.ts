import { readFile, statfs } from 'node:fs/promises'
import { platform } from 'node:os'
import { type CheckOutcome, failed } from '../failure.ts'
import { fr } from '../fr.ts'
import { type CheckRunner, checkRunner } from './check.ts'
import {
  type CpuTimes,
  cpuUsedRatio,
  diskMounts,
  memoryRatios,
  networkCounters,
  parseCpuTimes,
} from './system-files.ts'

/** A first run has nothing to compare the processor with: it watches it for this long. */
const FIRST_WATCH_MS = 200

const FILES = [
  '/proc/stat',
  '/proc/meminfo',
  '/proc/loadavg',
  '/proc/uptime',
  '/proc/net/dev',
  '/proc/self/mountinfo',
] as const

/** The machine that the probe runs on. It remembers the processor's counters between runs, hence one runner a probe. */
export const createSystemRunner = (): CheckRunner => {
  const last = new Map<number, CpuTimes>()
  return checkRunner('system', async (check): Promise<CheckOutcome> => {
    if (platform() !== 'linux') return failed('internal', fr.system.linuxOnly)
    const texts = await Promise.all(FILES.map(file => readFile(file, 'utf8').catch(() => null)))
    const unreadable = texts.indexOf(null)
    if (unreadable >= 0) return failed('internal', fr.system.unreadable(FILES[unreadable] ?? ''))
    const [stat = '', memory = '', load = '', uptime = '', network = '', mounts = ''] = texts.map(text => text ?? '')
    const before = last.get(check.scanner) ?? parseCpuTimes(stat)
    if (!last.has(check.scanner)) await new Promise(resolve => setTimeout(resolve, FIRST_WATCH_MS))
    const now = last.has(check.scanner) ? parseCpuTimes(stat) : parseCpuTimes(await readFile('/proc/stat', 'utf8'))
    last.set(check.scanner, now)
    return {
      values: {
        ...cpuUsedRatio(before, now),
        load_1m: Number(load.split(' ', 1)[0]),
        ...memoryRatios(memory),
        uptime: Number(uptime.split(' ', 1)[0]),
        ...(await diskValues(mounts)),
        ...networkCounters(network),
      },
      failure: null,
    }
  })
}

const diskValues = async (mountinfo: string): Promise<Record<string, number>> => {
  const values: Record<string, number> = {}
  for (const mount of diskMounts(mountinfo)) {
    const space = await statfs(mount).catch(() => null)
    if (space === null || space.blocks === 0) continue
    // What only root may use counts as used, as in df.
    const used = space.blocks - space.bfree
    values[`disk_used_ratio[${mount}]`] = used / Math.max(1, used + space.bavail)
    values[`disk_free[${mount}]`] = space.bavail * space.bsize
  }
  return values
}
