import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ModelPlan } from '@narval/contracts'
import { SEVERITIES, type Severity } from '@narval/engine'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Notice } from '../../ui/notice.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import classes from './plan-dialog.module.css'

const { plan: words } = fr

/** What the dialog asks, beside the plan. */
export interface PlanQuestion {
  readonly plan: ModelPlan
  readonly title: string
  readonly yes: string
  readonly no: string
  readonly danger?: boolean
  readonly note?: string
}

/** Asks with a dialog; the answer is true when the change is wanted. */
export const usePlanQuestion = (): { ask: (question: PlanQuestion) => Promise<boolean>; dialog: ReactNode } => {
  const [question, setQuestion] = useState<PlanQuestion | null>(null)
  const [opened, setOpened] = useState(false)
  const answer = useRef<((wanted: boolean) => void) | null>(null)
  const reply = useCallback((wanted: boolean) => {
    setOpened(false)
    answer.current?.(wanted)
    answer.current = null
  }, [])
  const ask = useCallback(
    (next: PlanQuestion) =>
      new Promise<boolean>(resolve => {
        answer.current?.(false)
        answer.current = resolve
        setQuestion(next)
        setOpened(true)
      }),
    [],
  )
  const dialog = (
    <Modal
      opened={opened}
      onClose={() => reply(false)}
      title={<strong>{question?.title}</strong>}
      centered
      size="lg"
      // The words stay while the dialog fades away.
      onExitTransitionEnd={() => setQuestion(null)}
    >
      {question !== null && <PlanContent question={question} onAnswer={reply} />}
    </Modal>
  )
  return { ask, dialog }
}

interface PlanContentProps {
  readonly question: PlanQuestion
  readonly onAnswer: (wanted: boolean) => void
}

const FACTS = ['scannersCreated', 'scannersUpdated', 'scannersDeleted', 'metricsUpdated', 'metricsDeleted'] as const

const PlanContent = ({ question, onAnswer }: PlanContentProps) => {
  const { plan, yes, no, danger = false, note } = question
  const facts = FACTS.filter(fact => plan[fact] > 0)
  return (
    <Stack gap="md">
      <p className={classes.planned}>{words.planned(plan)}</p>
      {facts.length > 0 ? (
        <ul className={classes.facts}>
          {facts.map(fact => (
            <li key={fact}>{words.facts[fact](plan[fact])}</li>
          ))}
        </ul>
      ) : (
        plan.hosts > 0 && <Text size="sm">{words.nothing}</Text>
      )}
      {plan.examples.length > 0 && <Examples plan={plan} />}
      {plan.metricsDeleted > 0 && (
        <Notice tone="warning" icon={<IconAlertTriangle size={18} />}>
          <p>{words.lost}</p>
        </Notice>
      )}
      {note !== undefined && <Text size="sm">{note}</Text>}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => onAnswer(false)}>
          {no}
        </Button>
        <Button {...(danger ? { color: 'red' } : {})} onClick={() => onAnswer(true)} data-autofocus>
          {yes}
        </Button>
      </Group>
    </Stack>
  )
}

const isSeverity = (text: string): text is Severity => SEVERITIES.some(severity => severity === text)
const State = ({ text }: { readonly text: string }) =>
  isSeverity(text) ? <SeverityBadge severity={text} /> : <span>{text}</span>

const Examples = ({ plan }: { readonly plan: ModelPlan }) => {
  const others = plan.hostsChangingState - plan.examples.length
  return (
    <div>
      <p className={classes.examplesTitle}>{words.examples}</p>
      <ul className={classes.examples}>
        {plan.examples.map(example => (
          <li key={example.hostId}>
            <Link to={`/host/${example.hostId}`} target="_blank" className={classes.host}>
              {example.hostName}
            </Link>
            <span className={classes.states}>
              <State text={example.before} />
              <span role="img" aria-label={words.becomes}>
                →
              </span>
              <State text={example.after} />
            </span>
            {example.because !== '' && <span className={classes.because}>{example.because}</span>}
          </li>
        ))}
      </ul>
      {others > 0 && (
        <Text size="sm" c="dimmed">
          {words.moreExamples(others)}
        </Text>
      )}
    </div>
  )
}
