import { type DatatableInput, dashboardRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/api.ts'
import type { HostCell } from '../../lib/host-cells.ts'
import { situationText } from '../../lib/situation.ts'
import { HostStateBadge, SeverityIcon } from '../../ui/severity.tsx'
import { Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './host-status.module.css'

/** Who only passes over a cell asks nothing. */
const DWELL_MS = 150

/** What a cell stands for: state, since when, where, and its worst metric once one stays on it. */
export const HostCard = ({ host }: { readonly host: HostCell }) => (
  <>
    <div className={classes.cardHead}>
      <strong>{host.name}</strong>
      <HostStateBadge state={host.state} />
    </div>
    <p className={classes.cardLine}>
      {[
        host.siteName,
        host.typeName,
        host.inMaintenance ? fr.inMaintenance : null,
        host.acknowledged ? fr.acknowledged : null,
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
    <p className={classes.cardLine}>
      {fr.since('')}
      <Since at={new Date(host.sinceMs).toISOString()} />
    </p>
    <Worst key={host.id} hostId={host.id} />
  </>
)

const worstOf = (hostId: number): DatatableInput => ({ length: 1, filters: { view: 'problems', hostId } })

const Worst = ({ hostId }: { readonly hostId: number }) => {
  const [stays, setStays] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), DWELL_MS)
    return () => clearTimeout(timer)
  }, [])
  const { data } = useQuery({
    queryKey: ['host-card', hostId],
    queryFn: ({ signal }) => call(dashboardRoutes.datatable.put, { body: worstOf(hostId), signal }),
    enabled: stays,
    staleTime: 5_000,
  })
  const worst = data?.data[0]
  return (
    <p className={classes.cardLine}>
      {data !== undefined && worst === undefined && fr.noWorst}
      {worst !== undefined && (
        <>
          <SeverityIcon severity={worst.severity} size={14} /> {worst.name}
          {'\u202f: '}
          {worst.information === '' ? situationText(worst) : worst.information}
        </>
      )}
    </p>
  )
}
