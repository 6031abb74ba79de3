import type { CommentKind } from '@narval/contracts'

/** What was created, changed or deleted, said after the commit to whoever keeps a copy: monitoring, hubs, probes' orders. */
export const ENTITIES = [
  'site',
  'host',
  'scanner',
  'metric',
  'incident',
  'maintenance',
  'comment',
  'log-book',
  'model',
  'probe',
  'account',
  'setting',
  'credential',
  'notification-rule',
  'delivery',
  'custom-field',
] as const
export type Entity = (typeof ENTITIES)[number]

export interface Change {
  readonly entity: Entity
  readonly ids: readonly number[]
  readonly action: 'created' | 'updated' | 'deleted'
  /** Of metrics and scanners: the hosts that have them, or had them. */
  readonly hostIds?: readonly number[]
  /** Of comments, whose ids are those of the objects: what these are. */
  readonly object?: CommentKind
}

/** Something was queued, sent or given up; whoever looks at deliveries asks again. */
export const DELIVERED: Change = { entity: 'delivery', ids: [], action: 'updated' }

export interface Changes {
  emit(change: Change): void
  on(listener: (change: Change) => void): void
}

export const createChanges = (): Changes => {
  const listeners: ((change: Change) => void)[] = []
  return {
    emit: change => {
      for (const listener of listeners) listener(change)
    },
    on: listener => {
      listeners.push(listener)
    },
  }
}
