import { fold } from '@narval/contracts'

/** No tag holds it, and no folding touches it. */
const BETWEEN = '\u001f'

/** The column `tags_folded`: the filter finds a tag whole between its separators, the search finds any part. */
export const foldTags = (tags: readonly string[]): string =>
  tags.length === 0 ? '' : `${BETWEEN}${tags.map(fold).join(BETWEEN)}${BETWEEN}`

/** A single folded tag without its separators. */
export const tagText = (folded: string): string => folded.replaceAll(BETWEEN, '')
