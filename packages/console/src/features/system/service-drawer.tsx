import { Drawer } from '@mantine/core'
import { type Claim, SERVICES, type ServiceDetail } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { NOTHING } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { NotLoaded } from '../../ui/page.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import { figureText } from './figure-text.ts'
import { fr } from './fr.ts'
import { serviceQuery } from './service-queries.ts'
import { ServiceStateBadge } from './service-state.tsx'
import classes from './system.module.css'

const { drawer: words, columns } = fr

/** Where what a service does is shown, for those who may go there. */
const PLACES: ReadonlyMap<number, { readonly to: string; readonly label: string; readonly claim: Claim }> = new Map([
  [SERVICES.beat.id, { to: '/system/parameter/configuration#beatUrl', label: words.beat, claim: 'parameter_write' }],
  [SERVICES.delivery.id, { to: '/system/notification/delivery', label: words.delivery, claim: 'notification_write' }],
  [SERVICES.discovery.id, { to: '/scanner/discovery', label: words.discovery, claim: 'scanner_read' }],
  [SERVICES.chain.id, { to: '/log', label: words.chain, claim: 'log_read' }],
])

interface DrawerProps {
  /** The service that is open; null: none. */
  readonly id: number | null
  readonly onClose: () => void
}

/** One service with all that is measured of it and its last errors, alive; Escape gives the list back. */
export const ServiceDrawer = ({ id, onClose }: DrawerProps) => {
  const { data, error, refetch } = useQuery({ ...serviceQuery(id ?? 0), enabled: id !== null })
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size={480} title={<strong>{data?.name}</strong>}>
      {data === undefined ? <NotLoaded error={error} onRetry={refetch} /> : <Detail service={data} />}
    </Drawer>
  )
}

const Detail = ({ service }: { readonly service: ServiceDetail }) => {
  const { rate, rateOf, queue, queueOf, version } = service
  return (
    <article className={classes.detail}>
      <div className={classes.verdict} data-state={service.state}>
        <ServiceStateBadge state={service.state} />
        <p>{service.reason}</p>
      </div>
      <p className={classes.role}>{service.role}</p>
      <Way service={service} />
      <dl className={classes.figures}>
        <Line label={columns.since}>
          <Since at={service.since} />
        </Line>
        {rate !== null && <Line label={columns.rate}>{fr.rate(rate, rateOf)}</Line>}
        {queue !== null && <Line label={columns.queue}>{fr.queue(queue, queueOf)}</Line>}
        <Line label={columns.version}>{version === '' ? NOTHING : version}</Line>
      </dl>
      {service.figures.length > 0 && (
        <section>
          <h3>{words.figures}</h3>
          <dl className={classes.figures}>
            {service.figures.map(figure => (
              <Line key={figure.label} label={figure.label}>
                {figureText(figure)}
              </Line>
            ))}
          </dl>
        </section>
      )}
      {service.kind === 'internal' && <Errors service={service} />}
    </article>
  )
}

const Line = ({ label, children }: { readonly label: string; readonly children: React.ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const Way = ({ service }: { readonly service: ServiceDetail }) => {
  const { can } = useSession()
  const place = PLACES.get(service.id)
  if (service.probeId !== null && can('probe_write'))
    return <Link to={`/probe/edit/${service.probeId}`}>{words.probe}</Link>
  return place !== undefined && can(place.claim) ? <Link to={place.to}>{place.label}</Link> : null
}

const Errors = ({ service: { errors } }: { readonly service: ServiceDetail }) => (
  <section>
    <h3>{words.errors}</h3>
    {errors.length === 0 ? (
      <p className={classes.role}>{words.noErrors}</p>
    ) : (
      <>
        <p className={classes.role}>{words.errorsHelp}</p>
        <ul className={classes.errors}>
          {errors.map(({ at, text, count }) => (
            <li key={`${at} ${text}`}>
              <span className={classes.when}>
                <Ago at={at} />
                {count > 1 && ` · ${fr.times(count)}`}
              </span>
              {text}
            </li>
          ))}
        </ul>
      </>
    )}
  </section>
)
