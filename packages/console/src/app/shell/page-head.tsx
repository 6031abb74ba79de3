import { IconHelp } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { guidePageOf } from '../../lib/guide.ts'
import { shareTheme } from '../../lib/guide-theme.ts'
import type { Crumb } from '../../lib/route-handle.ts'
import classes from './shell.module.css'

interface PageHeadProps {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly leadRef: (element: HTMLElement | null) => void
  readonly metaRef: (element: HTMLElement | null) => void
  readonly actionsRef: (element: HTMLElement | null) => void
}

/** Title and breadcrumb of the page (spec §2), with what the page adds through `PageHeader`. */
export const PageHead = ({ title, crumbs, leadRef, metaRef, actionsRef }: PageHeadProps) => (
  <div className={classes.head}>
    <div className={classes.headText}>
      <div className={classes.titleLine}>
        <div className={classes.named}>
          <span className={classes.lead} ref={leadRef} />
          <h1 className={classes.title}>{title}</h1>
          <GuideLink />
        </div>
        <span className={classes.meta} ref={metaRef} />
      </div>
      <nav aria-label={fr.shell.breadcrumb}>
        <ol className={classes.crumbs}>
          <li>
            <Link to="/home">{fr.shell.home}</Link>
          </li>
          {crumbs.map((crumb, index) => (
            <li key={crumb.path + crumb.name}>
              <CrumbName crumb={crumb} last={index === crumbs.length - 1} />
            </li>
          ))}
        </ol>
      </nav>
    </div>
    <div className={classes.actions} ref={actionsRef} data-keep-clear />
  </div>
)

/** Leads to the guide's page about this one, in a new tab. */
const GuideLink = () => {
  const page = guidePageOf(useLocation().pathname)
  if (page === null) return null
  return (
    <a
      className={classes.guide}
      href={page}
      target="_blank"
      rel="noopener noreferrer"
      title={fr.shell.guide}
      aria-label={fr.shell.guide}
      onClick={shareTheme}
      onAuxClick={shareTheme}
    >
      <IconHelp size={18} stroke={1.7} aria-hidden="true" />
    </a>
  )
}

const CrumbName = ({ crumb, last }: { readonly crumb: Crumb; readonly last: boolean }) => {
  if (last) return <span aria-current="page">{crumb.name}</span>
  return crumb.link ? <Link to={crumb.path}>{crumb.name}</Link> : <span>{crumb.name}</span>
}
