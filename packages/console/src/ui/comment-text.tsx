import { type Mention, partsOf } from '@narval/contracts'
import classes from './comment-text.module.css'

interface CommentTextProps {
  readonly text: string
  readonly mentions: readonly Mention[]
  /** Beside other things: in its line, without its breaks. */
  readonly inline?: boolean
}

/** What somebody wrote, as text, whatever it holds; those whom it names stand out, with their names on hover. */
export const CommentText = ({ text, mentions, inline = false }: CommentTextProps) => (
  <span className={inline ? undefined : classes.text}>
    {partsOf(text, mentions).map(({ text: piece, mention }, place) =>
      mention === null ? (
        piece
      ) : (
        <span key={place} className={classes.mention} title={mention.name}>
          {piece}
        </span>
      ),
    )}
  </span>
)
