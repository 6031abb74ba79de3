import type { Comment, CommentKind, IncidentDetail } from '@narval/contracts'
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
  /** What sheets ask to do, where they are not on this page. */
  readonly sheets?: IncidentDetail['instructions']
}

/** What is pinned on an object and on what it stands on, above all else of its page; nothing where nothing is. */
export const Instructions = ({ kind, id, sheets = [] }: InstructionsProps) => {
  const { data = [] } = useInstructions(kind, id)
  const count = sheets.length + data.length
  if (count === 0) return null
  return (
    <section className={classes.instructions} aria-label={words.instructions(count)}>
      <h2 className={classes.title}>
        <IconPinFilled size={16} aria-hidden="true" /> {words.instructions(count)}
      </h2>
      <ul className={classes.list}>
        {sheets.map(sheet => (
          <li key={`${sheet.kind} ${sheet.id}`}>
            <p className={classes.text}>{sheet.text}</p>
            <span className={classes.meta}>
              {words.instructionOf} <Link to={`/${sheet.kind}/${sheet.id}`}>{sheet.name}</Link>
            </span>
          </li>
        ))}
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
