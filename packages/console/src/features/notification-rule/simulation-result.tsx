import { Badge } from '@mantine/core'
import type { SimulatedSend, Simulation } from '@narval/contracts'
import { IconUserOff } from '@tabler/icons-react'
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
        <ol className={classes.timeline} aria-label={words.result}>
          {simulation.sends.map(send => (
            <li key={`${send.afterSeconds}-${send.ruleId}-${send.channelId}-${send.person}-${send.kind}`}>
              <When send={send} timeZone={simulation.timeZone} />
              <Whom send={send} />
            </li>
          ))}
        </ol>
      )}
      {simulation.more > 0 && <p className={classes.muted}>{words.more(simulation.more)}</p>}
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
