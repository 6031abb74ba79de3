import { Badge, Button } from '@mantine/core'
import type { SimulatedSend, Simulation } from '@narval/contracts'
import { IconUserOff } from '@tabler/icons-react'
import { useState } from 'react'
import { Card, EmptyState } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import classes from './rule.module.css'
import { minutesText } from './rule-sentence.ts'

const { simulator: words } = fr

/** What would be sent in a day, and what each rule says of it. */
export const SimulationResult = ({ simulation }: { readonly simulation: Simulation }) => (
  <div className={classes.results}>
    <Card title={words.result} aside={<Where simulation={simulation} />}>
      {simulation.sends.length === 0 ? (
        <EmptyState title={words.nobody} icon={<IconUserOff size={28} stroke={1.6} />}>
          {words.nobodyText}
        </EmptyState>
      ) : (
        <Sends key={`${simulation.title} ${simulation.sends[0]?.at}`} simulation={simulation} />
      )}
    </Card>
    <Card title={words.rules}>
      <ul className={classes.timeline} aria-label={words.rules}>
        {simulation.rules.map(rule => (
          <li key={rule.id}>
            <Badge variant={rule.applies ? 'filled' : 'default'} radius="sm" tt="none">
              {rule.applies ? words.applies : words.not}
            </Badge>
            <span>
              <strong>
                {rule.position}. {rule.name}
              </strong>
              {rule.reasons.length > 0 && <span className={classes.muted}> {rule.reasons.join(' · ')}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  </div>
)

/** Reminders go on all day: what comes first is what is asked about. */
const FIRST_SENDS = 12

const Sends = ({ simulation: { sends, more, timeZone } }: { readonly simulation: Simulation }) => {
  const [whole, setWhole] = useState(false)
  const folded = whole ? 0 : Math.max(0, sends.length - FIRST_SENDS)
  return (
    <>
      <ol className={classes.timeline} aria-label={words.result}>
        {sends.slice(0, sends.length - folded).map(send => (
          <li key={`${send.afterSeconds}-${send.ruleId}-${send.channelId}-${send.person}-${send.kind}`}>
            <When send={send} timeZone={timeZone} />
            <Whom send={send} />
          </li>
        ))}
      </ol>
      {folded > 0 ? (
        <Button variant="default" size="compact-sm" onClick={() => setWhole(true)}>
          {words.seeMore(folded + more)}
        </Button>
      ) : (
        more > 0 && <p className={classes.muted}>{words.more(more)}</p>
      )}
    </>
  )
}

const Where = ({ simulation: { title, siteName, holiday } }: { readonly simulation: Simulation }) => (
  <span className={classes.muted}>
    {[title, siteName, holiday === null ? null : words.holiday(holiday)].filter(Boolean).join(' · ')}
  </span>
)

const afterText = (seconds: number): string => {
  if (seconds < 60) return `+${seconds}\u202fs`
  return `+${minutesText(Math.floor(seconds / 60))}`
}

const When = ({ send, timeZone }: { readonly send: SimulatedSend; readonly timeZone: string }) => (
  <span>
    <strong>{afterText(send.afterSeconds)}</strong>
    <br />
    <time className={classes.muted} dateTime={send.at}>
      {new Intl.DateTimeFormat('fr-FR', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(send.at))}
    </time>
  </span>
)

const Whom = ({ send }: { readonly send: SimulatedSend }) => (
  <span>
    <strong>{send.person ?? words.own}</strong> · {send.channelName}
    {send.address !== '' && <span className={classes.muted}> {send.address}</span>}
    <br />
    <span className={classes.muted}>
      {words.sends[send.kind]} · {send.ruleName}, {fr.step.title(send.step - 1).toLowerCase()}
    </span>
    {send.fault !== null && <p className={classes.fault}>{words.fault(send.fault)}</p>}
  </span>
)
