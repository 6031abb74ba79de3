import { holidayRegionOf, type Site, serviceStateOn } from '@narval/contracts'
import { Link } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import { holidaySummary, openingSummary, serviceChangeText } from '../../lib/opening-text.ts'
import { Facts } from '../../ui/facts.tsx'
import { MapPicker } from '../../ui/map-picker.tsx'
import { Card } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { useOtherPlaces } from './place-fields.tsx'
import { clockAt, dayAt, useNow } from './site-clock.ts'
import classes from './site-page.module.css'

/** Where a site is, whether it is in service now, whom to call, what to do. */
export const SiteSummary = ({ site }: { readonly site: Site }) => {
  const { latitude, longitude } = site
  const others = useOtherPlaces(site.id)
  const hasPoint = latitude !== null && longitude !== null
  return (
    <Card>
      <div className={classes.summary} data-map={hasPoint || undefined}>
        <div>
          <SiteFacts site={site} />
          {site.instruction !== '' && (
            <div className={classes.instruction}>
              <h2>{fr.facts.instruction}</h2>
              <p>{site.instruction}</p>
            </div>
          )}
        </div>
        {hasPoint && (
          <MapPicker label={fr.map.show(site.name)} value={{ latitude, longitude }} others={others} height={260} />
        )}
      </div>
    </Card>
  )
}

const SiteFacts = ({ site }: { readonly site: Site }) => {
  const now = useNow()
  return (
    <Facts
      facts={[
        { label: fr.facts.address, value: addressOf(site) },
        {
          label: fr.service.localTime,
          value: `${clockAt(site.timeZone, now)} · ${site.timeZone.replaceAll('_', ' ')}`,
        },
        { label: fr.service.hours, value: <ServiceHours site={site} nowMs={now} /> },
        { label: fr.facts.contact, value: site.contactName },
        {
          label: fr.facts.phone,
          value: site.contactPhone && <a href={telOf(site.contactPhone)}>{site.contactPhone}</a>,
        },
        {
          label: fr.facts.email,
          value: site.contactEmail && <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>,
        },
        { label: fr.facts.probe, value: probeOf(site) },
        { label: fr.facts.position, value: positionOf(site) },
        {
          label: fr.facts.updated,
          value: (
            <>
              <Ago at={site.updatedAt} />
              {site.updatedBy !== null && fr.by(site.updatedBy)}
            </>
          ),
        },
      ]}
    />
  )
}

const ServiceHours = ({ site, nowMs }: { readonly site: Site; readonly nowMs: number }) => {
  const region = holidayRegionOf(site.country, site.postalCode)
  const state = serviceStateOn({ ...site, region }, site.timeZone, nowMs)
  const change = serviceChangeText(state, dayAt(site.timeZone, nowMs))
  return (
    <>
      <span className={classes.service} data-open={state.open || undefined}>
        {state.open ? fr.service.open : fr.service.closed}
      </span>
      {state.holiday === undefined ? '' : ` (${state.holiday})`}
      {change === '' ? '' : `, ${change}`}
      <span className={classes.hours}>{openingSummary(site.openingHours)}</span>
      {site.holidays !== null && (
        <span className={classes.hours}>{fr.service.holidays(holidaySummary(site.holidays), region)}</span>
      )}
    </>
  )
}

const telOf = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`
const addressOf = (site: Site): string =>
  [site.address, [site.postalCode, site.city].filter(Boolean).join(' '), site.country].filter(Boolean).join('\n')
const positionOf = ({ latitude, longitude }: Site): string =>
  latitude === null || longitude === null ? '' : `${formatNumber(latitude, 5)} ; ${formatNumber(longitude, 5)}`

const probeOf = ({ effectiveProbe: probe, probeId, id }: Site) => {
  if (probe === null) return ''
  if (probeId !== null || probe.originId === id) return probe.name
  if (probe.originId === null) return fr.help.probeLocal(probe.name)
  return (
    <>
      {probe.name}
      <Link className={classes.origin} to={`/site/${probe.originId}`}>
        {fr.help.probeFrom(probe.originName)}
      </Link>
    </>
  )
}
