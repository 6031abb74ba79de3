import { Button } from '@mantine/core'
import { type DiscoveryFinding, discoveryRoutes } from '@narval/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { call } from '../../lib/api.ts'
import { formatDateTime, formatMilliseconds } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { Facts } from '../../ui/facts.tsx'
import { Card, NotLoaded, PageHeader } from '../../ui/page.tsx'
import { useIdParam } from '../../ui/use-id-param.ts'
import { ApproveDialog } from './approve-dialog.tsx'
import classes from './discovery.module.css'
import { useReview } from './discovery-queries.ts'
import { FindingStateBadge } from './finding-state.tsx'
import { fr } from './fr.ts'

const { finding: words } = fr
const LIST = '/scanner/discovery'

/** /scanner/discovery/address/:id: all that is known of what was found at an address. */
export const FindingPage = () => {
  const id = useIdParam() ?? 0
  const { data, error, refetch } = useQuery({
    queryKey: ['discovery', 'finding', id],
    queryFn: ({ signal }) => call(discoveryRoutes.finding, { params: { id }, signal }),
  })
  if (data !== undefined) return <Finding finding={data} />
  return <NotLoaded error={error} onRetry={refetch} height={300} isAlone />
}

const Finding = ({ finding }: { readonly finding: DiscoveryFinding }) => {
  const { snmp, neighbours, hops, changes } = finding
  return (
    <div className={classes.page}>
      <PageHeader
        title={finding.name === finding.address ? finding.address : `${finding.name} (${finding.address})`}
        meta={<FindingStateBadge state={finding.state} />}
        actions={<Actions finding={finding} />}
      />
      {changes.length > 0 && (
        <Card title={words.changes}>
          <Facts
            facts={changes.map(({ what, before, after }) => ({
              label: fr.changes[what],
              value: `${before || words.wasNothing} → ${after || words.wasNothing}`,
            }))}
          />
        </Card>
      )}
      <Card title={words.identity}>
        <Identity finding={finding} />
      </Card>
      <Card title={words.snmp}>
        {snmp === null ? (
          <p className={classes.help}>{words.noSnmp}</p>
        ) : (
          <Facts
            facts={(['sysName', 'sysDescr', 'sysObjectId', 'sysLocation'] as const).map(name => ({
              label: words.fields[name],
              value: snmp[name],
            }))}
          />
        )}
      </Card>
      {neighbours.length > 0 && <Neighbours neighbours={neighbours} />}
      {hops !== null && (
        <Card title={words.path}>
          {hops.length === 0 ? (
            <p className={classes.help}>{words.direct}</p>
          ) : (
            <ol className={classes.hops}>
              {hops.map((hop, n) => (
                <li key={n}>{hop ?? words.silentHop}</li>
              ))}
            </ol>
          )}
        </Card>
      )}
    </div>
  )
}

const Identity = ({ finding }: { readonly finding: DiscoveryFinding }) => {
  const { fields } = words
  const { proposal, hostId, hostName, rttMs, vanishedSince } = finding
  return (
    <Facts
      facts={[
        { label: fields.address, value: finding.address },
        { label: fields.name, value: finding.name },
        { label: fields.role, value: fr.roles[finding.role] },
        { label: fields.host, value: hostId === null ? null : <Link to={`/host/${hostId}`}>{hostName}</Link> },
        { label: fields.dnsName, value: finding.dnsName },
        { label: fields.mac, value: finding.mac },
        { label: fields.rtt, value: rttMs === null ? null : formatMilliseconds(rttMs) },
        { label: fields.ports, value: finding.openPorts.join(', ') },
        { label: fields.site, value: finding.siteName },
        { label: fields.range, value: finding.rangeName },
        { label: fields.type, value: hostId === null ? proposal.typeName : null },
        {
          label: fields.models,
          value: hostId === null ? proposal.monitoringModels.map(({ name }) => name).join(', ') : null,
        },
        {
          label: fields.parent,
          value: proposal.parent === null ? null : fr.approve.parent(proposal.parent.name, proposal.parent.source),
        },
        { label: fields.firstSeen, value: formatDateTime(finding.firstSeen) },
        { label: fields.lastSeen, value: formatDateTime(finding.lastSeen) },
        { label: fields.vanished, value: vanishedSince === null ? null : formatDateTime(vanishedSince) },
      ]}
    />
  )
}

const Neighbours = ({ neighbours }: Pick<DiscoveryFinding, 'neighbours'>) => (
  <Card flush title={words.neighbours}>
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{words.fields.localPort}</th>
            <th>{words.fields.neighbour}</th>
            <th>{words.fields.neighbourPort}</th>
            <th>{words.fields.neighbourAddress}</th>
          </tr>
        </thead>
        <tbody>
          {neighbours.map(({ localPort, name, port, address }) => (
            <tr key={`${localPort} ${name} ${port}`}>
              <td>{localPort}</td>
              <td>{name}</td>
              <td>{port}</td>
              <td>{address}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Card>
)

const Actions = ({ finding }: { readonly finding: DiscoveryFinding }) => {
  const { can } = useSession()
  const navigate = useNavigate()
  const [approving, setApproving] = useState(false)
  const review = useReview()
  const { id, state, hostId, changes } = finding
  if (!can('host_write')) return null
  const decide = (action: 'accept' | 'ignore' | 'restore') => (
    <Button
      variant="default"
      loading={review.isPending && review.variables.action === action}
      onClick={() => review.mutate({ action, ids: [id] })}
    >
      {fr.actions[action]}
    </Button>
  )
  return (
    <>
      {changes.length > 0 && decide('accept')}
      {state === 'ignored' ? decide('restore') : hostId === null && decide('ignore')}
      {hostId === null && state !== 'vanished' && (
        <Button leftSection={<IconPlus size={16} />} onClick={() => setApproving(true)}>
          {fr.actions.approveOne}
        </Button>
      )}
      {approving && (
        <ApproveDialog findings={[finding]} onClose={() => setApproving(false)} onDone={() => void navigate(LIST)} />
      )}
    </>
  )
}
