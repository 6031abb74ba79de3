import type { SearchResult } from '@narval/contracts'
import { useEffect, useEffectEvent } from 'react'
import { type ActTargets, useActing } from '../../ui/acting.ts'
import { maintainedOf, useActDialogs } from '../../ui/incident-dialogs.tsx'
import type { SearchVerb } from './search-actions.ts'

interface SearchActProps {
  readonly verb: SearchVerb
  readonly object: SearchResult
  readonly onEnd: () => void
}

const OF = { incident: 'incident', host: 'host', site: 'site', metric: 'metric' } as const
const isActed = (kind: SearchResult['kind']): kind is keyof typeof OF => Object.hasOwn(OF, kind)

/** What was asked for in the search box about one object: the dialog that asks for more, or a check at once. */
export const SearchAct = ({ verb, object, onEnd }: SearchActProps) => {
  const { kind, id, name } = object
  const targets: ActTargets = { of: isActed(kind) ? OF[kind] : 'host', target: { ids: [id] }, what: name }
  const { opened, open, dialogs } = useActDialogs(targets, maintainedOf(targets), onEnd)
  const acting = useActing()
  const begin = useEffectEvent(() => {
    if (verb === 'check') void acting.check(targets).then(onEnd)
    else open(verb)
  })
  useEffect(() => begin(), [])
  // Closed without having done anything: the same as done.
  const hasBegun = opened !== null
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (!hasBegun) return
    return () => end()
  }, [hasBegun])
  return dialogs
}
