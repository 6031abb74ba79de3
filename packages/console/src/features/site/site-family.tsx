import { useQuery } from '@tanstack/react-query'
import { Fragment, useMemo } from 'react'
import { Link } from 'react-router'
import { siteTreeQuery } from '../../lib/site-tree.ts'
import { ancestorsOf, forestOf } from '../../lib/tree-rows.ts'
import { Counts } from '../../ui/counts.tsx'
import { Card } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import classes from './site-page.module.css'
import { SiteTypeIcon } from './site-type-icon.tsx'

const useForest = () => {
  const { data } = useQuery(siteTreeQuery)
  return useMemo(() => (data === undefined ? null : forestOf(data)), [data])
}

/** « Région Sud › Lyon ›»: the way down to a site; nothing for one at the top. */
export const SiteAncestors = ({ id, name }: { readonly id: number; readonly name: string }) => {
  const forest = useForest()
  const above = forest === null ? [] : ancestorsOf(forest.nodes, id)
  if (above.length === 0) return null
  return (
    <nav className={classes.ancestors} aria-label={fr.family.above}>
      {above.map(site => (
        <Fragment key={site.id}>
          <Link to={`/site/${site.id}`}>{site.name}</Link>
          <span aria-hidden="true">›</span>
        </Fragment>
      ))}
      <span aria-current="page">{name}</span>
    </nav>
  )
}

/** The sites right under one, each with all that is under it. */
export const SiteChildren = ({ id }: { readonly id: number }) => {
  const forest = useForest()
  const children = forest?.children.get(id) ?? []
  if (forest === null || children.length === 0) return null
  return (
    <Card title={fr.family.below}>
      <ul className={classes.children}>
        {children.map(child => {
          const total = forest.totals.get(child.id)
          return (
            <li key={child.id}>
              <Link to={`/site/${child.id}`} className={classes.child}>
                {total?.severity != null && <SeverityIcon severity={total.severity} size={16} />}
                <SiteTypeIcon icon={child.typeIcon} />
                <span className={classes.childName}>{child.name}</span>
                {total !== undefined && total.below > 0 && <small>{fr.tree.below(total.below)}</small>}
                {total !== undefined && total.hosts > 0 ? (
                  <Counts counts={total.counts} />
                ) : (
                  <small>{fr.tree.noHost}</small>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
