import type { LogDetail } from '@narval/contracts'

/** Whether an entry tells how something is, not how it changed. What an update put where nothing was has changed too. */
export const tellsFacts = ({ action, changes }: Pick<LogDetail, 'action' | 'changes'>): boolean =>
  !action.endsWith('-update') && changes.every(({ before }) => before === '')
