import type { ActedObject, BulkReply } from '@narval/contracts'
import { acting as words } from '../i18n/acting.ts'
import type { ActTargets } from './acting.ts'

/** Why some were refused: those that are over by their number, others in the words of the server. */
export const refusedText = (refused: number, refusals: BulkReply['refusals']): string => {
  const why = [...new Set(refusals.flatMap(({ errors }) => errors))]
  const other = why.filter(text => text !== words.over)
  return other.length === 0 ? words.refused(refused) : `${words.notDone(refused)} ${why.join(' ')}`
}

/** One object, or none where many are meant. */
export const ownersQuery = ({ of, target }: ActTargets): { readonly of?: ActedObject; readonly id?: string } => {
  const [only, ...others] = 'ids' in target ? target.ids : []
  return only === undefined || others.length > 0 ? {} : { of, id: String(only) }
}
