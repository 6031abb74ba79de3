import { describe, expect, it } from 'vitest'
import { cpuUsedRatio, diskMounts, memoryRatios, networkCounters, parseCpuTimes } from './system-files.ts'

it('the processor is used for what is neither idle nor waiting for a disk, between two readings', () => {
  const before = parseCpuTimes('cpu  100 0 100 800 0 0 0 0 50 0\ncpu0 1 2 3\n')
  const now = parseCpuTimes('cpu  150 0 125 1000 15 0 0 10 70 0\ncpu0 1 2 3\n')
  expect(cpuUsedRatio(before, now).cpu_used_ratio).toBeCloseTo(85 / 300, 6)
  expect(cpuUsedRatio(now, now)).toEqual({})
  expect(cpuUsedRatio(now, before)).toEqual({})
})

it('memory that could be freed is not used; no swap, no ratio', () => {
  const text = 'MemTotal:        1000 kB\nMemFree: 100 kB\nMemAvailable:     250 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n'
  expect(memoryRatios(text)).toEqual({ memory_used_ratio: 0.75 })
  expect(
    memoryRatios(`${text.replace('SwapTotal: 0', 'SwapTotal: 200').replace('SwapFree: 0', 'SwapFree: 150')}`),
  ).toEqual({
    memory_used_ratio: 0.75,
    swap_used_ratio: 0.25,
  })
})

describe('disks', () => {
  const mounts = [
    '22 1 8:1 / / rw - ext4 /dev/sda1 rw',
    '23 22 8:1 /var /srv/bind rw - ext4 /dev/sda1 rw',
    '24 22 8:17 / /mnt/my\\040disk rw - xfs /dev/sdb1 rw',
    '25 22 0:5 / /proc rw - proc proc rw',
    '26 22 0:30 / /run rw - tmpfs tmpfs rw',
    '27 22 0:40 / /mnt/nas rw - nfs4 nas:/x rw',
    '28 22 7:0 / /snap/core ro - squashfs /dev/loop0 ro',
  ].join('\n')
  it('real ones only, one place each, names decoded', () => {
    expect(diskMounts(mounts)).toEqual(['/', '/mnt/my disk'])
  })
  it('the root of a container counts', () => {
    expect(diskMounts('1 0 0:50 / / rw - overlay overlay rw')).toEqual(['/'])
  })
})

it('networks: raw counters of what has a cable', () => {
  const text = `Inter-|   Receive\n face |bytes\n    lo: 5 0 0 0 0 0 0 0 5 0\n  eth0: 1234 1 0 0 0 0 0 0 987 2 0\nveth12:1 1 1 1 1 1 1 1 1 1\n`
  expect(networkCounters(text)).toEqual({ 'network_in[eth0]': 1234, 'network_out[eth0]': 987 })
})
