import { Button, CloseButton, TextInput } from '@mantine/core'
import { fold, type SiteNode } from '@narval/contracts'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import { table as words } from '../../i18n/table.ts'
import { siteTreeQuery, useLiveTree } from '../../lib/site-tree.ts'
import { type Forest, forestOf, type TreeRow, type TreeTotal, treeRows } from '../../lib/tree-rows.ts'
import { Counts } from '../../ui/counts.tsx'
import { useFreshness } from '../../ui/freshness.tsx'
import { Card, EmptyState, NotLoaded } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import toolbar from '../../ui/toolbar.module.css'
import { Tree } from '../../ui/tree.tsx'
import { fr } from './fr.ts'
import classes from './site-tree.module.css'
import { SiteTypeIcon } from './site-type-icon.tsx'
import { SiteViewSwitch } from './site-view.tsx'

/** Up to so many sites the tree opens whole. */
const WHOLE = 60
const AROUND_PX = 250
const LEAST_PX = 320

/** What was opened and closed, kept while one goes to a site and comes back. */
let remembered: ReadonlySet<number> | null = null

interface SiteTreeProps {
  readonly mode: 'read' | 'edit'
  readonly emptyText: string
  readonly emptyAction?: ReactNode
}

/** Sites under their parents, each with the worst state and the counts of all that is under it. */
export const SiteTree = (props: SiteTreeProps) => {
  useLiveTree()
  const { data, error, refetch } = useQuery(siteTreeQuery)
  const forest = useMemo(() => (data === undefined ? null : forestOf(data)), [data])
  if (forest === null) return <NotLoaded error={error} onRetry={refetch} height={400} isAlone />
  return <TreeOf {...props} forest={forest} />
}

const initial = (forest: Forest<SiteNode>): ReadonlySet<number> =>
  remembered ?? new Set(forest.nodes.size <= WHOLE ? forest.nodes.keys() : [])

const TreeOf = ({ forest, mode, emptyText, emptyAction }: SiteTreeProps & { readonly forest: Forest<SiteNode> }) => {
  const { search, setSearch } = useSearch()
  const looked = useDeferredValue(fold(search))
  const [expanded, setExpandedState] = useState(() => initial(forest))
  const setExpanded = (next: ReadonlySet<number>): void => {
    remembered = next
    setExpandedState(next)
  }
  const toggle = (node: SiteNode, open: boolean): void => {
    // By what is remembered, so that several at once add up.
    const next = new Set(remembered ?? expanded)
    if (open) next.add(node.id)
    else next.delete(node.id)
    setExpanded(next)
  }
  const rows = useMemo(
    () =>
      treeRows(
        forest,
        expanded,
        looked === '' ? null : node => fold(node.name).includes(looked) || fold(node.code).includes(looked),
      ),
    [forest, expanded, looked],
  )
  const isStale = useFreshness('site') === 'stale'
  const total = forest.nodes.size
  const matching = looked === '' ? total : rows.filter(row => row.matches).length
  const base = mode === 'read' ? '/site' : '/site/edit'
  const height = Math.max(LEAST_PX, window.innerHeight - AROUND_PX)
  return (
    <div>
      <div className={toolbar.toolbar}>
        <SiteViewSwitch />
        <TextInput
          className={toolbar.search}
          type="search"
          aria-label={fr.tree.search}
          placeholder={fr.tree.search}
          maxLength={200}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={
            search === '' ? null : (
              <CloseButton size="sm" aria-label={words.clearSearch} onClick={() => setSearch('')} />
            )
          }
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
        <Button variant="subtle" size="compact-sm" onClick={() => setExpanded(new Set(forest.nodes.keys()))}>
          {fr.tree.expand}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={() => setExpanded(new Set())}>
          {fr.tree.collapse}
        </Button>
        <span className={toolbar.spacer} />
        <output className={toolbar.count} aria-live="polite">
          {matching === total ? fr.site(total) : fr.tree.found(matching, total)}
        </output>
      </div>
      <Card flush className={classes.card} data-stale={isStale || undefined}>
        {total === 0 ? (
          <EmptyState title={fr.emptyTitle} action={emptyAction}>
            {emptyText}
          </EmptyState>
        ) : rows.length === 0 ? (
          <EmptyState title={fr.tree.none} />
        ) : (
          <Tree
            label={fr.tree.label}
            rows={rows}
            keyOf={node => node.id}
            nameOf={node => node.name}
            hrefOf={node => `${base}/${node.id}`}
            edgeOf={node => forest.totals.get(node.id)?.severity ?? null}
            onToggle={toggle}
            height={height}
          >
            {row => <SiteRow row={row} total={forest.totals.get(row.node.id)} />}
          </Tree>
        )}
      </Card>
    </div>
  )
}

/** The text looked for, also in the URL. */
const useSearch = () => {
  const [params, setParams] = useSearchParams()
  const [search, setText] = useState(params.get('q') ?? '')
  const setSearch = (text: string): void => {
    setText(text)
    setParams(
      current => {
        const next = new URLSearchParams(current)
        if (text === '') next.delete('q')
        else next.set('q', text)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return { search, setSearch }
}

const SiteRow = ({ row, total }: { readonly row: TreeRow<SiteNode>; readonly total: TreeTotal | undefined }) => (
  <>
    <span className={classes.state}>
      {total?.severity != null && (
        <SeverityIcon severity={total.severity} size={16} label={common.severity[total.severity]} />
      )}
    </span>
    <span className={classes.icon}>
      <SiteTypeIcon icon={row.node.typeIcon} size={18} />
    </span>
    <span className={classes.name} title={row.node.name}>
      {row.node.name}
    </span>
    <span className={classes.code}>{row.node.code}</span>
    <span className={toolbar.spacer} />
    <span className={classes.counts}>{total !== undefined && total.hosts > 0 && <Counts counts={total.counts} />}</span>
    <span className={classes.word} data-severity={total?.severity ?? undefined} aria-hidden="true">
      {total?.severity != null && common.severity[total.severity]}
    </span>
    <span className={classes.hosts}>{fr.hosts(total?.hosts ?? 0)}</span>
  </>
)
