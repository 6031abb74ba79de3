import { execFileSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { findProgram } from '../testing/programs.ts'

const IP = findProgram('ip')
const names = ['p', 'r', 't'].map(one => `narval-${process.pid}-${one}`)
const [probe = '', router = '', target = ''] = names
const ip = (...args: string[]): string => execFileSync(IP ?? 'ip', args, { stdio: 'pipe' }).toString()

/** A probe, a router and a target in networks of their own, on this machine; false where it may not be done. */
const build = (): boolean => {
  try {
    for (const name of names) {
      ip('netns', 'add', name)
      // Addresses count at once, without asking the neighbours first.
      ip('netns', 'exec', name, 'sh', '-c', 'echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad')
    }
    for (const [left, right, net] of [
      [probe, router, '1'],
      [router, target, '2'],
    ] as const) {
      const [a, b] = [`nvl${net}${process.pid}`.slice(0, 14), `nvr${net}${process.pid}`.slice(0, 14)]
      ip('link', 'add', a, 'netns', left, 'type', 'veth', 'peer', 'name', b, 'netns', right)
      for (const [space, link, host] of [
        [left, a, '1'],
        [right, b, '2'],
      ] as const) {
        ip('-n', space, 'addr', 'add', `10.66.${net}.${host}/24`, 'dev', link)
        ip('-n', space, 'addr', 'add', `fd66:${net}::${host}/64`, 'dev', link, 'nodad')
        ip('-n', space, 'link', 'set', link, 'up')
      }
    }
    ip('-n', probe, 'route', 'add', 'default', 'via', '10.66.1.2')
    ip('-n', probe, '-6', 'route', 'add', 'default', 'via', 'fd66:1::2')
    ip('-n', target, 'route', 'add', 'default', 'via', '10.66.2.1')
    ip('-n', target, '-6', 'route', 'add', 'default', 'via', 'fd66:2::1')
    const forward = ['/proc/sys/net/ipv4/ip_forward', '/proc/sys/net/ipv6/conf/all/forwarding']
    for (const file of forward) ip('netns', 'exec', router, 'sh', '-c', `echo 1 > ${file}`)
    return true
  } catch {
    return false
  }
}
const isBuilt = IP !== null && build()

afterAll(() => {
  for (const name of names) {
    try {
      ip('netns', 'del', name)
    } catch {
      // It was never made.
    }
  }
})

// Networks of a test's own need root and the right to make them.
describe.skipIf(!isBuilt)('a route through a real router', () => {
  it('names the routers before an address in IPv4 and IPv6, none for a neighbour, and ends where silence begins', () => {
    const script = `
      import { loadLibc } from '${new URL('../icmp/libc.ts', import.meta.url).href}'
      import { createTracer } from '${new URL('traceroute.ts', import.meta.url).href}'
      const trace = createTracer(await loadLibc(), () => () => undefined)
      process.stdout.write(JSON.stringify(await Promise.all(process.argv.slice(1).map(trace))))`
    const asked = ['10.66.1.2', '10.66.2.2', '10.66.2.99', 'fd66:2::2']
    const out = ip('netns', 'exec', probe, process.execPath, '--input-type=module', '-e', script, '--', ...asked)
    expect(JSON.parse(out)).toEqual([[], ['10.66.1.2'], ['10.66.1.2'], ['fd66:1::2']])
  })
})
