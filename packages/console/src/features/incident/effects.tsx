import { Button, TextInput } from '@mantine/core'
import { fold, type Incident, type IncidentDetail } from '@narval/contracts'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatDuration } from '../../lib/format.ts'
import { Card } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { Since } from '../../ui/time.tsx'
import { type EffectHost, effectHosts, endedStretches, stretchText } from './effect-view.ts'
import { fr } from './fr.ts'
import classes from './incident-page.module.css'

const FIRST = 8

/** Hosts can't be reached, or something of them is unknown. */
type EffectWords = typeof fr | typeof fr.blinded

interface EffectsProps {
  readonly effects: IncidentDetail['effects']
  /** How many hosts there are in all. */
  readonly count: number
  /** With those that have come back while it goes on. */
  readonly ever: number
  /** Of a metric: hosts can't be reached; of a probe: something of them is unknown. */
  readonly kind: Incident['kind']
  readonly over: boolean
}

/** Hosts that the incident takes along: the first ones, all of them on demand, found by their name. */
export const Effects = ({ effects, count, ever, kind, over }: EffectsProps) => {
  const [whole, setWhole] = useState(false)
  const [term, setTerm] = useState('')
  const hosts = effectHosts(effects)
  const words = kind === 'metric' ? fr : fr.blinded
  const shows = kind === 'metric' || over
  if (hosts.length === 0) return shows || ever === 0 ? null : <AllBack words={words} ever={ever} />
  const still = hosts.filter(({ since }) => since !== null).length
  const all = Math.max(count, hosts.length)
  const wanted = fold(term.trim())
  const found = whole && wanted !== '' ? hosts.filter(({ hostName }) => fold(hostName).includes(wanted)) : hosts
  const shown = whole ? found : found.slice(0, FIRST)
  return (
    <Card title={words.effects}>
      <p className={classes.quiet}>
        {over || still === 0 ? words.effectsPast(all) : words.effectsOf(kind === 'metric' ? still : all)}
        {!shows && ever > all && fr.effectsEver(ever)}.{all > hosts.length && ` ${fr.effectsBounded(hosts.length)}`}
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
          <EffectLine key={host.hostId} host={host} spans={endedStretches(effects, host.hostId)} words={words} />
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
  readonly spans: ReturnType<typeof endedStretches>
  /** What is amiss with it. */
  readonly words: EffectWords
}

/** While it goes on nothing is unknown because of it at this moment. */
const AllBack = ({ words, ever }: { readonly words: EffectWords; readonly ever: number }) => (
  <Card title={words.effects}>
    <p className={classes.quiet}>{words.effectsPast(ever)}.</p>
  </Card>
)

const EffectLine = ({ host: { hostId, hostName, since, endedMs }, spans, words }: LineProps) => (
  <li>
    <SeverityIcon
      severity={since === null ? 'ok' : 'unknown'}
      label={since === null ? words.effectOver : words.effectNow}
    />
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
        {spans.map(span => (
          <span key={span.since} className={classes.span}>
            {stretchText(span)}
          </span>
        ))}
      </span>
    </span>
  </li>
)
