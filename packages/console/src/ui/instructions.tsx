import type { Comment, CommentKind } from '@narval/contracts'
import { IconPinFilled } from '@tabler/icons-react'
import { Link } from 'react-router'
import { comment as words } from '../i18n/comment.ts'
import { commentPath, useInstructions } from '../lib/comment-queries.ts'
import { CommentText } from './comment-text.tsx'
import classes from './instructions.module.css'
import { Ago } from './time.tsx'

interface InstructionsProps {
  readonly kind: CommentKind
  readonly id: number
}

/** What is pinned on an object and on what it stands on, above all else of its page; nothing where nothing is. */
export const Instructions = ({ kind, id }: InstructionsProps) => {
  const { data = [] } = useInstructions(kind, id)
  if (data.length === 0) return null
  return (
    <section className={classes.instructions} aria-label={words.instructions(data.length)}>
      <h2 className={classes.title}>
        <IconPinFilled size={16} aria-hidden="true" /> {words.instructions(data.length)}
      </h2>
      <ul className={classes.list}>
        {data.map(one => (
          <li key={one.id}>
            <CommentText text={one.text} mentions={one.mentions} />
            <span className={classes.meta}>
              {(one.kind !== kind || one.objectId !== id) && <Whose comment={one} />}
              {one.author}, <Ago at={one.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Of what else than the page's object it is. */
const Whose = ({ comment }: { readonly comment: Comment }) => (
  <>
    {words.instructionOf} <Link to={commentPath(comment)}>{comment.objectName}</Link> ·{' '}
  </>
)
