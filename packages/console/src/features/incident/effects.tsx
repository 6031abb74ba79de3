import { Button, TextInput } from '@mantine/core'
import { fold, type IncidentDetail } from '@narval/contracts'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatDuration } from '../../lib/format.ts'
import { Card } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './incident-page.module.css'

type Effect = IncidentDetail['effects'][number]

const FIRST = 8

/** Hosts that can't be reached because of the incident: the first ones, all of them on demand, found by their name. */
export const Effects = ({ effects, over }: { readonly effects: readonly Effect[]; readonly over: boolean }) => {
  const [whole, setWhole] = useState(false)
  const [term, setTerm] = useState('')
  if (effects.length === 0) return null
  const still = effects.filter(effect => effect.until === null).length
  const wanted = fold(term.trim())
  const found = whole && wanted !== '' ? effects.filter(({ hostName }) => fold(hostName).includes(wanted)) : effects
  const shown = whole ? found : found.slice(0, FIRST)
  return (
    <Card title={fr.effects}>
      <p className={classes.quiet}>{over || still === 0 ? fr.effectsPast(effects.length) : fr.effectsOf(still)}.</p>
      {whole && effects.length > FIRST && (
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
        {shown.map(effect => (
          <EffectLine key={`${effect.hostId}-${effect.since}`} effect={effect} />
        ))}
      </ul>
      {effects.length > FIRST && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            setTerm('')
            setWhole(!whole)
          }}
        >
          {whole ? fr.effectsFewer : fr.effectsAll(effects.length)}
        </Button>
      )}
    </Card>
  )
}

const EffectLine = ({ effect }: { readonly effect: Effect }) => (
  <li>
    <SeverityIcon
      severity={effect.until === null ? 'unknown' : 'ok'}
      label={effect.until === null ? fr.effectNow : fr.effectOver}
    />
    <span>
      <Link to={`/host/${effect.hostId}`}>{effect.hostName}</Link>{' '}
      <span className={classes.detail}>
        {effect.until === null ? (
          <>
            depuis <Since at={effect.since} />
          </>
        ) : (
          fr.effectUntil(formatDuration(Date.parse(effect.until) - Date.parse(effect.since)))
        )}
      </span>
    </span>
  </li>
)
