import { Link } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { HelpLinks } from './help-links.tsx'
import classes from './top-bar.module.css'

/** Accueil, Documentation and Contact (spec §2). */
export const TopLinks = ({ onFollow }: { readonly onFollow?: () => void }) => (
  <>
    <Link className={classes.link} to="/home" onClick={onFollow}>
      {fr.shell.home}
    </Link>
    <HelpLinks />
  </>
)
