import { IconMessage } from '@tabler/icons-react'
import { Link } from 'react-router'
import { fr } from '../../i18n/fr.ts'
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
        <p className={classes.empty}>{fr.shell.noComments}</p>
        <Link className={classes.footer} to="/comments" onClick={close}>
          {fr.shell.allComments}
        </Link>
      </>
    )}
  </Dropdown>
)
