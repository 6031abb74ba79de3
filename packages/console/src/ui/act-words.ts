import type { ActedObject, BulkReply } from '@narval/contracts'
import { acting as words } from '../i18n/acting.ts'

/** Why some were refused: those that are over by their number, others in the words of the server. */
export const refusedText = (refused: number, refusals: BulkReply['refusals']): string => {
  const why = [...new Set(refusals.flatMap(({ errors }) => errors))]
  const other = why.filter(text => text !== words.over)
  return other.length === 0 ? words.refused(refused) : `${words.notDone(refused)} ${why.join(' ')}`
}

/** What is to be given, as far as it matters here. */
interface Given {
  readonly of: ActedObject
  readonly target: { readonly ids: readonly number[] } | { readonly filter: object }
}

/** One object, or none where many are meant. */
export const ownersQuery = ({ of, target }: Given): { readonly of?: ActedObject; readonly id?: string } => {
  const [only, ...others] = 'ids' in target ? target.ids : []
  return only === undefined || others.length > 0 ? {} : { of, id: String(only) }
}
