import { Button, Switch, TextInput } from '@mantine/core'
import { HOST_MAX_MODELS, type Look } from '@narval/contracts'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { formatMilliseconds } from '../../lib/format.ts'
import { monitoringModelOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { Notice } from '../../ui/notice.tsx'
import { Card, errorText } from '../../ui/page.tsx'
import { RemoteMultiSelect } from '../../ui/remote-multi-select.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import classes from './first-run.module.css'
import type { FirstHostDraft } from './first-run-queries.ts'
import { fr } from './fr.ts'

const { found: words } = fr

interface FoundCardProps {
  readonly address: string
  /** Its name where it says none itself. */
  readonly usualName: string
  /** Null: it was not tried. */
  readonly look: Look | null
  readonly pending: boolean
  readonly error: Error | null
  readonly onOther: () => void
  readonly onSupervise: (draft: Pick<FirstHostDraft, 'name' | 'typeId' | 'monitoringModelIds' | 'page'>) => void
}

/** What answered, and what the host would be: one click makes it. */
export const FoundCard = ({ address, usualName, look, pending, error, onOther, onSupervise }: FoundCardProps) => {
  const choosesModels = useSession().can('scanner_read')
  const [name, setName] = useState(look === null || look.name === address ? usualName : look.name)
  const [models, setModels] = useState(look?.proposal.monitoringModels.map(({ id }) => id) ?? [])
  const page = look?.proposal.page ?? null
  const [watches, setWatches] = useState(page !== null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() === '' || pending) return
    const typeId = look?.proposal.typeId ?? null
    onSupervise({ name: name.trim(), typeId, monitoringModelIds: models, page: watches ? page : null })
  }
  return (
    <Card title={titleOf(address, look)} aside={look === null ? undefined : words.from(look.probe.name)} arrives>
      {look !== null && <Answers look={look} />}
      {look?.host != null && (
        <Notice tone="neutral" icon={<IconInfoCircle size={18} />} title={words.already(look.host.name)}>
          <Button component={Link} variant="default" size="compact-sm" to={`/host/${look.host.id}`}>
            {words.open}
          </Button>
        </Notice>
      )}
      <form className={classes.form} onSubmit={submit} noValidate>
        <div className={classes.pair}>
          <TextInput
            label={words.hostName}
            value={name}
            maxLength={120}
            error={name.trim() === '' ? words.required : undefined}
            onChange={event => setName(event.currentTarget.value)}
          />
          {choosesModels && (
            <RemoteMultiSelect
              label={words.models}
              help={models.length === 0 ? words.noModelHelp : words.modelsHelp}
              source={monitoringModelOptions}
              known={look?.proposal.monitoringModels ?? []}
              values={models}
              onChange={setModels}
              max={HOST_MAX_MODELS}
            />
          )}
        </div>
        {page !== null && (
          <Switch
            label={words.page(page.replace('{address}', look?.address ?? address))}
            checked={watches}
            onChange={event => setWatches(event.currentTarget.checked)}
          />
        )}
        {error !== null && (
          <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.refused}>
            <p>{errorText(error)}</p>
          </Notice>
        )}
        <div className={classes.actions}>
          <Button
            type="submit"
            variant={look?.host == null ? 'filled' : 'default'}
            loading={pending}
            disabled={name.trim() === ''}
          >
            {look?.host == null ? words.supervise : words.superviseAgain}
          </Button>
          <Button variant="subtle" onClick={onOther}>
            {words.other}
          </Button>
        </div>
      </form>
    </Card>
  )
}

const titleOf = (address: string, look: Look | null): string => {
  if (look === null) return words.untried(address)
  return look.answered ? words.answers(address) : words.silent(address)
}

const Answers = ({ look }: { readonly look: Look }) => {
  const { answered, rttMs, openPorts, snmp, dnsName, proposal, notes } = look
  // The probe notes why it did not try.
  const isUntried = notes.some(note => note.includes('SNMP'))
  const said = snmp === null ? null : snmp.sysDescr || snmp.sysName
  return (
    <>
      {answered ? (
        <ul className={classes.answers}>
          <Answer label={words.ping} text={rttMs === null ? null : formatMilliseconds(rttMs)} none={words.noAnswer} />
          <Answer
            label={words.ports}
            text={openPorts.length === 0 ? null : openPorts.map(words.port).join(', ')}
            none={words.noPort}
          />
          <Answer label={words.snmp} text={said} none={isUntried ? words.untriedSnmp : words.noAnswer} />
          {dnsName !== '' && <Answer label={words.name} text={dnsName} none="" />}
          {proposal.typeName !== null && <Answer label={words.seems} text={proposal.typeName} none="" />}
        </ul>
      ) : (
        <p className={classes.help}>{words.silentText}</p>
      )}
      {notes.map(note => (
        <p key={note} className={classes.note}>
          {note.charAt(0).toUpperCase() + note.slice(1)}.
        </p>
      ))}
    </>
  )
}

const Answer = ({
  label,
  text,
  none,
}: {
  readonly label: string
  readonly text: string | null
  readonly none: string
}) => (
  <li data-none={text === null || undefined}>
    {text === null ? <span className={classes.nothing} aria-hidden="true" /> : <SeverityIcon severity="ok" size={15} />}
    <span className={classes.what}>{label}</span>
    <span className={classes.said}>{text ?? none}</span>
  </li>
)
