/** Places where tests break the store. Nothing happens unless the option names one. */
export type Failpoint =
  | 'journal.before-commit'
  | 'journal.after-commit'
  | 'seal.begin'
  | 'seal.before-raw'
  | 'seal.after-raw'
  | 'seal.after-rollup'
  | 'seal.before-advance'
  | 'seal.after-advance'
  | 'trim.slice'
  | 'compact.before-commit'
  | 'compact.after-commit'
  | 'third.before-commit'
  | 'third.after-commit'

export interface Failpoints {
  hit(point: Failpoint): void
}

/**
 * `point=kill` ends the process at once, `point=kill:3` at the third passage; `point=full:2` refuses the first two passages as a
 * full disk would, `point=io` one as a failed fsync would. Several are separated by commas.
 */
export function createFailpoints(spec: string | undefined): Failpoints {
  const rules = (spec ?? '')
    .split(',')
    .filter(rule => rule !== '')
    .map(rule => {
      const [point = '', action = ''] = rule.split('=')
      const [kind = '', times = '1'] = action.split(':')
      return { point, kind, left: Number(times) }
    })
  return {
    hit(point) {
      for (const rule of rules) {
        if (rule.point !== point || rule.left <= 0) continue
        rule.left--
        if (rule.kind === 'kill') {
          if (rule.left === 0) process.kill(process.pid, 'SIGKILL')
          continue
        }
        const code = rule.kind === 'full' ? 'SQLITE_FULL' : 'SQLITE_IOERR_FSYNC'
        throw Object.assign(new Error(`failpoint ${point}`), { code })
      }
    },
  }
}
