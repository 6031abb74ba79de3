import { IconAt, IconMessage } from '@tabler/icons-react'
import { Link } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { commentPath, useCommentNews, useLastComments } from '../../lib/comment-queries.ts'
import { errorText } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './dropdown.module.css'
import { Dropdown } from './dropdown.tsx'

/** The widest the comments dropdown may be (spec §9). */
const MAX_WIDTH = 420

/** The comments dropdown (spec §2). */
export const CommentsMenu = () => {
  const { data: news } = useCommentNews()
  const mentions = news?.mentions ?? 0
  return (
    <Dropdown
      label={fr.shell.comments}
      icon={<IconMessage size={20} stroke={1.7} />}
      count={mentions}
      {...(mentions > 0 && { countText: fr.shell.mentioned(mentions) })}
      maxWidth={MAX_WIDTH}
    >
      {close => (
        <>
          <h2 className={classes.panelTitle}>
            {fr.shell.comments}
            {news !== undefined && news.unread > 0 && (
              <Link className={classes.panelAside} to="/comments?unread=true" onClick={close}>
                {fr.shell.unreadComments(news.unread)}
              </Link>
            )}
          </h2>
          <Last close={close} />
          <Link className={classes.footer} to="/comments" onClick={close}>
            {fr.shell.allComments}
          </Link>
        </>
      )}
    </Dropdown>
  )
}

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
      {data.map(one => (
        <li key={one.id}>
          <Link className={classes.item} data-read={!one.unread || undefined} to={commentPath(one)} onClick={close}>
            {one.mentionsMe ? (
              <IconAt className={classes.named} size={16} stroke={1.9} aria-label={fr.shell.mentionsYou} />
            ) : (
              <IconMessage size={16} stroke={1.7} aria-hidden="true" />
            )}
            <span className={classes.itemTitle}>{one.objectName}</span>
            <span className={classes.itemTime}>
              <Ago at={one.createdAt} />
            </span>
            <span className={classes.itemText} title={one.text}>
              {fr.shell.saidBy(one.author, one.text)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
