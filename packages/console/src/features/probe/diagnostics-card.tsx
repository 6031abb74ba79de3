import { Button, Group, NumberInput, Select, Switch, Text, TextInput } from '@mantine/core'
import {
  DIAGNOSTIC_KINDS,
  type DiagnoseInput,
  type Diagnosis,
  PING_MAX_COUNT,
  type Probe,
  probeRoutes,
} from '@narval/contracts'
import { IconAlertTriangle, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../lib/api.ts'
import { hostOptions } from '../../lib/option-sources.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { FIELD_ORDER } from '../../ui/form-fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, errorText } from '../../ui/page.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import { type DiagnosticDraft, type DraftErrors, draftFrom, readDraft } from './diagnostics-draft.ts'
import { diagnostics as words } from './diagnostics-fr.ts'
import classes from './probe.module.css'

/** Longer than the longest of them, the way to the probe included. */
const TIMEOUT_MS = 60_000
const DNS_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT']

/** Ping, traceroute, DNS, HTTP and SNMP from where a probe stands; what comes back is text and nothing else. */
export const DiagnosticsCard = ({ probe }: { readonly probe: Probe }) => {
  const [query] = useSearchParams()
  const [draft, setDraft] = useState(() => draftFrom(query))
  const [errors, setErrors] = useState<DraftErrors>({})
  const stopping = useRef<AbortController | null>(null)
  const attempt = useMutation({
    mutationFn: async (body: DiagnoseInput): Promise<Diagnosis | null> => {
      const stop = new AbortController()
      stopping.current = stop
      const input = { params: { id: probe.id }, body, signal: stop.signal, timeoutMs: TIMEOUT_MS }
      try {
        return await call(probeRoutes.diagnose, input)
      } catch (error) {
        if (stop.signal.aborted) return null
        throw error
      }
    },
  })
  // Who leaves the page waits for nothing: the probe is told.
  useEffect(() => () => stopping.current?.abort(), [])
  const change = (part: Partial<DiagnosticDraft>): void => {
    setDraft({ ...draft, ...part })
    setErrors({})
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const read = readDraft(draft)
    if ('body' in read) attempt.mutate(read.body)
    else {
      // What came of another one must not pass for this one's.
      attempt.reset()
      setErrors(read.errors)
    }
  }
  const online = probe.state === 'online'
  return (
    <Card title={words.title}>
      <Text size="sm" c="dimmed" mb="sm">
        {online ? words.help : words.offline}
      </Text>
      <form className={classes.diagnostics} onSubmit={submit} noValidate>
        <Select
          label={words.kind}
          data={DIAGNOSTIC_KINDS.map(kind => ({ value: kind, label: words.kinds[kind] }))}
          value={draft.kind}
          allowDeselect={false}
          onChange={value => change({ kind: DIAGNOSTIC_KINDS.find(kind => kind === value) ?? draft.kind })}
        />
        <DraftFields draft={draft} errors={errors} change={change} />
        <Group className={classes.diagnosticsRun}>
          {attempt.isPending ? (
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={16} />}
              onClick={() => stopping.current?.abort()}
            >
              {words.stop}
            </Button>
          ) : (
            <Button type="submit" disabled={!online} leftSection={<IconPlayerPlay size={16} />}>
              {words.run}
            </Button>
          )}
        </Group>
      </form>
      <div aria-live="polite">
        {attempt.isPending && (
          <Text size="sm" c="dimmed" mt="md">
            {words.running}
          </Text>
        )}
      </div>
      {attempt.error !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.refused}>
          <p>{errorText(attempt.error)}</p>
        </Notice>
      )}
      {!attempt.isPending && attempt.data != null && <Result diagnosis={attempt.data} />}
    </Card>
  )
}

const Result = ({ diagnosis }: { readonly diagnosis: Diagnosis }) => {
  const { text, failure, probe, durationMs } = diagnosis
  return (
    <div className={classes.result}>
      {failure !== null && (
        <Notice tone="warning" icon={<IconAlertTriangle size={18} />} title={words.failed}>
          <p>{failure}</p>
        </Notice>
      )}
      {text !== '' && (
        <>
          <p className={classes.label}>
            {words.result}, {words.took(probe.name, durationMs)}
          </p>
          <CopyText lines text={text} label={words.result} words={words} />
        </>
      )}
    </div>
  )
}

interface FieldsProps {
  readonly draft: DiagnosticDraft
  readonly errors: DraftErrors
  readonly change: (part: Partial<DiagnosticDraft>) => void
}

const DraftFields = ({ draft, errors, change }: FieldsProps) => {
  const text = (field: 'address' | 'name' | 'server' | 'url' | 'oid', more: object = {}) => (
    <TextInput
      label={words.fields[field]}
      value={draft[field]}
      onChange={event => change({ [field]: event.currentTarget.value })}
      error={errors[field]}
      inputWrapperOrder={FIELD_ORDER}
      autoComplete="off"
      {...more}
    />
  )
  switch (draft.kind) {
    case 'ping':
      return (
        <>
          {text('address', { placeholder: words.placeholders.address })}
          <NumberInput
            label={words.fields.count}
            value={draft.count}
            onChange={count => change({ count })}
            error={errors.count}
            min={1}
            max={PING_MAX_COUNT}
            clampBehavior="none"
          />
        </>
      )
    case 'traceroute':
      return text('address', { placeholder: words.placeholders.address })
    case 'dns':
      return (
        <>
          {text('name', { placeholder: words.placeholders.name })}
          <Select
            label={words.fields.type}
            data={DNS_TYPES}
            value={draft.type}
            allowDeselect={false}
            onChange={type => change({ type: type ?? 'A' })}
          />
          {text('server', { description: words.serverHelp })}
        </>
      )
    case 'http':
      return (
        <>
          {text('url', { placeholder: words.placeholders.url })}
          <Select
            label={words.fields.method}
            data={['GET', 'HEAD']}
            value={draft.method}
            allowDeselect={false}
            onChange={method => change({ method: method ?? 'GET' })}
          />
          <div className={classes.switches}>
            {(['verifyTls', 'followRedirects'] as const).map(field => (
              <Switch
                key={field}
                label={words.fields[field]}
                checked={draft[field]}
                onChange={event => change({ [field]: event.currentTarget.checked })}
              />
            ))}
          </div>
        </>
      )
    case 'snmp':
      return (
        <>
          <RemoteSelect
            label={words.fields.hostId}
            source={hostOptions}
            value={draft.hostId}
            onChange={hostId => change({ hostId })}
            help={words.hostHelp}
            error={errors.hostId}
          />
          {text('oid')}
        </>
      )
    default:
      return draft.kind satisfies never
  }
}
