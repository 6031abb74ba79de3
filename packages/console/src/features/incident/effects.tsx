import { Button, TextInput } from '@mantine/core'
import { fold, type Incident, type IncidentDetail } from '@narval/contracts'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatDuration } from '../../lib/format.ts'
import { Card } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { Since } from '../../ui/time.tsx'
import { type EffectHost, effectHosts } from './effect-view.ts'
import { fr } from './fr.ts'
import classes from './incident-page.module.css'

const FIRST = 8

interface EffectsProps {
  readonly effects: IncidentDetail['effects']
  /** How many hosts there are in all. */
  readonly count: number
  /** Of a metric: hosts can't be reached; of a probe: something of them is unknown. */
  readonly kind: Incident['kind']
  readonly over: boolean
}

/** Hosts that the incident takes along: the first ones, all of them on demand, found by their name. */
export const Effects = ({ effects, count, kind, over }: EffectsProps) => {
  const [whole, setWhole] = useState(false)
  const [term, setTerm] = useState('')
  const hosts = effectHosts(effects)
  const words = kind === 'metric' ? fr : fr.blinded
  if (hosts.length === 0) return null
  const still = hosts.filter(({ since }) => since !== null).length
  const all = Math.max(count, hosts.length)
  const wanted = fold(term.trim())
  const found = whole && wanted !== '' ? hosts.filter(({ hostName }) => fold(hostName).includes(wanted)) : hosts
  const shown = whole ? found : found.slice(0, FIRST)
  return (
    <Card title={words.effects}>
      <p className={classes.quiet}>
        {over || still === 0 ? fr.effectsPast(all) : words.effectsOf(kind === 'metric' ? still : all)}.
        {all > hosts.length && ` ${fr.effectsBounded(hosts.length)}`}
      </p>
      {whole && hosts.length > FIRST && (
        <TextInput
          size="sm"
          mb={8}
          type="search"
          aria-label={fr.effectsSearch}
          placeholder={fr.effectsSearch}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={term}
          onChange={event => setTerm(event.currentTarget.value)}
        />
      )}
      {shown.length === 0 && <p className={classes.quiet}>{fr.effectsNone(term)}</p>}
      <ul className={classes.effects} data-whole={whole || undefined} {...(whole && { tabIndex: 0 })}>
        {shown.map(host => (
          <EffectLine key={host.hostId} host={host} now={words.effectNow} />
        ))}
      </ul>
      {hosts.length > FIRST && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            setTerm('')
            setWhole(!whole)
          }}
        >
          {whole ? fr.effectsFewer : fr.effectsAll(hosts.length)}
        </Button>
      )}
    </Card>
  )
}

interface LineProps {
  readonly host: EffectHost
  /** What is amiss with it. */
  readonly now: string
}

const EffectLine = ({ host: { hostId, hostName, since, endedMs }, now }: LineProps) => (
  <li>
    <SeverityIcon severity={since === null ? 'ok' : 'unknown'} label={since === null ? fr.effectOver : now} />
    <span>
      <Link to={`/host/${hostId}`}>{hostName}</Link>{' '}
      <span className={classes.detail}>
        {since !== null && (
          <>
            depuis <Since at={since} />
            {endedMs.length > 0 && ', et avant '}
          </>
        )}
        {endedMs.length > 0 && fr.effectUntil(endedMs.map(formatDuration).join(', puis '))}
      </span>
    </span>
  </li>
)
