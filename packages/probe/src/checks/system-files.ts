/** What Linux says of itself under /proc, read from text. Pure. */

export interface CpuTimes {
  readonly busy: number
  readonly total: number
}

/** The sum of all processors in /proc/stat; waiting for disks counts as idle, time stolen by the hypervisor as used. */
export const parseCpuTimes = (stat: string): CpuTimes => {
  const line = stat.slice(0, stat.indexOf('\n'))
  // user, nice, system, idle, iowait, irq, softirq, steal; guest times are in user already.
  const times = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const total = times.reduce((sum, time) => sum + time, 0)
  return { total, busy: total - (times[3] ?? 0) - (times[4] ?? 0) }
}

/** No value at all when no tick passed in between. */
export const cpuUsedRatio = (before: CpuTimes, now: CpuTimes): Record<string, number> => {
  const total = now.total - before.total
  if (total <= 0) return {}
  return { cpu_used_ratio: Math.min(1, Math.max(0, (now.busy - before.busy) / total)) }
}

export const memoryRatios = (meminfo: string): Record<string, number> => {
  const kibibytes = new Map(
    [...meminfo.matchAll(/^(\w+):\s+(\d+) kB$/gm)].map(([, name = '', size]) => [name, Number(size)]),
  )
  const of = (name: string): number => kibibytes.get(name) ?? 0
  const [total, swap] = [of('MemTotal'), of('SwapTotal')]
  return {
    ...(total > 0 ? { memory_used_ratio: 1 - of('MemAvailable') / total } : {}),
    ...(swap > 0 ? { swap_used_ratio: 1 - of('SwapFree') / swap } : {}),
  }
}

const DISK_TYPES: ReadonlySet<string> = new Set([
  'ext2',
  'ext3',
  'ext4',
  'xfs',
  'btrfs',
  'zfs',
  'f2fs',
  'jfs',
  'bcachefs',
  'vfat',
  'exfat',
  'ntfs',
  'ntfs3',
  'fuseblk',
])
const MAX_INSTANCE = 128

/**
 * Where real disks are mounted, one place a disk, the shortest path first. No network file systems: asking one that is
 * gone hangs. The root counts whatever its type, since in a container it is an overlay on a real disk.
 */
export const diskMounts = (mountinfo: string): string[] => {
  const byDevice = new Map<string, string>()
  for (const line of mountinfo.split('\n')) {
    const [head = '', tail = ''] = line.split(' - ')
    const [, , device = '', , place = ''] = head.split(' ')
    const [type = ''] = tail.split(' ')
    const path = place.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
    if (!(DISK_TYPES.has(type) || (path === '/' && type === 'overlay'))) continue
    const present = byDevice.get(device)
    if (path.length <= MAX_INSTANCE && (present === undefined || path.length < present.length))
      byDevice.set(device, path)
  }
  return [...byDevice.values()].sort()
}

/** Interfaces that stand for no cable of this machine. */
const VIRTUAL = /^(?:lo|veth|docker|br-|virbr|vnet|tap|ifb|dummy|sit|ip6tnl|tunl|gre|erspan|cni|flannel|cali|podman)/

/** Octets received and sent, raw counters, by interface. */
export const networkCounters = (netDev: string): Record<string, number> => {
  const values: Record<string, number> = {}
  for (const line of netDev.split('\n').slice(2)) {
    const [name = '', rest = ''] = line.split(':')
    const fields = rest.trim().split(/\s+/).map(Number)
    const [received, sent] = [fields[0], fields[8]]
    if (received === undefined || sent === undefined || VIRTUAL.test(name.trim())) continue
    values[`network_in[${name.trim()}]`] = received
    values[`network_out[${name.trim()}]`] = sent
  }
  return values
}
