import { IconMessage } from '@tabler/icons-react'
import { Link } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { commentedPath, useLastComments } from '../../lib/comment-queries.ts'
import { errorText } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './dropdown.module.css'
import { Dropdown } from './dropdown.tsx'

/** The widest the comments dropdown may be (spec §9). */
const MAX_WIDTH = 420

/** The comments dropdown (spec §2). */
export const CommentsMenu = () => (
  <Dropdown label={fr.shell.comments} icon={<IconMessage size={20} stroke={1.7} />} maxWidth={MAX_WIDTH}>
    {close => (
      <>
        <h2 className={classes.panelTitle}>{fr.shell.comments}</h2>
        <Last close={close} />
        <Link className={classes.footer} to="/comments" onClick={close}>
          {fr.shell.allComments}
        </Link>
      </>
    )}
  </Dropdown>
)

/** The last ones, wherever they were written; each leads there. */
const Last = ({ close }: { readonly close: () => void }) => {
  const { data, error } = useLastComments()
  if (data === undefined)
    return (
      <p className={classes.empty} role="status">
        {error === null ? fr.common.loading : errorText(error)}
      </p>
    )
  if (data.length === 0) return <p className={classes.empty}>{fr.shell.noComments}</p>
  return (
    <ul className={classes.list}>
      {data.map(({ id, kind, objectId, objectName, author, text, createdAt }) => (
        <li key={id}>
          <Link className={classes.item} to={commentedPath(kind, objectId)} onClick={close}>
            <IconMessage size={16} stroke={1.7} aria-hidden="true" />
            <span className={classes.itemTitle}>{objectName}</span>
            <span className={classes.itemTime}>
              <Ago at={createdAt} />
            </span>
            <span className={classes.itemText} title={text}>
              {fr.shell.saidBy(author, text)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
