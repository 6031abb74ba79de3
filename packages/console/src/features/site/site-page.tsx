import { Button } from '@mantine/core'
import { IconEyeOff, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { useLiveTree } from '../../lib/site-tree.ts'
import { AvailabilityCard } from '../../ui/availability-card.tsx'
import { CommentPanel } from '../../ui/comment-panel.tsx'
import { Counts } from '../../ui/counts.tsx'
import { FreshnessSign, LivePart } from '../../ui/freshness.tsx'
import { HistoryCard } from '../../ui/history-card.tsx'
import { Instructions } from '../../ui/instructions.tsx'
import { MaintenanceNotice } from '../../ui/maintenance-mark.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NotLoaded, PageHeader } from '../../ui/page.tsx'
import { RecordFieldsCard } from '../../ui/record-fields.tsx'
import { SeverityBadge, SeverityIcon } from '../../ui/severity.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { fr } from './fr.ts'
import { SiteAncestors, SiteChildren } from './site-family.tsx'
import { SiteHosts } from './site-hosts.tsx'
import classes from './site-page.module.css'
import { siteQuery, useLiveSite } from './site-queries.ts'
import { SiteSummary } from './site-summary.tsx'

/** /site/:id: where the site is, how it is run, what stands above and below it, and its equipment. */
export const SitePage = () => {
  const id = useIdParam() ?? 0
  const { data: site, error, refetch } = useQuery(siteQuery(id))
  useLiveSite(id)
  useLiveTree()
  const writes = useSession().canOn({ siteId: id, partial: site?.partial === true }, 'site_write')
  if (site === undefined) return <NotLoaded error={error} onRetry={refetch} height={400} isAlone />
  return (
    <div className={classes.page}>
      <PageHeader
        title={site.name}
        lead={site.hosts > 0 ? <SeverityIcon severity={site.severity} size={22} /> : undefined}
        meta={
          <>
            {site.hosts > 0 && (
              <>
                <SeverityBadge severity={site.severity} plain /> ·{' '}
              </>
            )}
            {[site.code, site.typeName, site.city].filter(Boolean).join(' · ')} · <FreshnessSign hub="site" held />
          </>
        }
        actions={
          writes && (
            <Button variant="default" component={Link} to={`/site/edit/${id}`} leftSection={<IconPencil size={16} />}>
              {fr.edit}
            </Button>
          )
        }
      />
      <LivePart hub="site" className={classes.page}>
        <MaintenanceNotice maintenance={site.maintenance} />
        {site.partial && (
          <Notice tone="neutral" icon={<IconEyeOff size={18} />}>
            {fr.partial}
          </Notice>
        )}
        {!site.partial && <Instructions kind="site" id={id} />}
        <SiteAncestors id={id} name={site.name} />
        <SiteSummary site={site} />
        <SiteChildren id={id} />
        <AvailabilityCard of="site" id={id} />
        <RecordFieldsCard scope="site" id={id} name={site.name} />
        {!site.partial && <CommentPanel kind="site" id={id} />}
        <h2 className={classes.heading}>
          {fr.host} <Counts counts={site.counts} />
        </h2>
        <SiteHosts site={site} />
        <HistoryCard object="site" id={id} version={site.updatedAt} />
      </LivePart>
    </div>
  )
}
