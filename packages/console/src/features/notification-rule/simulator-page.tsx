import { Button } from '@mantine/core'
import {
  isLocalMinute,
  notificationRuleRoutes,
  RULE_KINDS,
  RULE_SEVERITIES,
  type RuleKind,
  type SimulationInput,
  timeZone,
} from '@narval/contracts'
import { useMutation } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { hostOptions, metricOptions, probeOptions } from '../../lib/option-sources.ts'
import { ChoiceField, NumberField } from '../../ui/form-fields.tsx'
import { NotificationTabs } from '../../ui/notification-tabs.tsx'
import { Card, ErrorState, PageHeader } from '../../ui/page.tsx'
import { RemoteSelectField } from '../../ui/remote-select.tsx'
import { TimeZoneField } from '../../ui/time-zone-field.tsx'
import { DateTimeField } from './date-time-field.tsx'
import { fr } from './fr.ts'
import classes from './rule.module.css'
import { SimulationResult } from './simulation-result.tsx'

const { simulator: words } = fr

interface Scene {
  objectKind: RuleKind
  hostId: number | null
  metricId: number | null
  probeId: number | null
  severity: SimulationInput['severity']
  at: string
  timeZone: string
  acknowledgedAfterMinutes: number | null
  endsAfterMinutes: number | null
}

/** The coming night, at 3. */
const nextNight = (): string => {
  const at = new Date()
  if (at.getHours() >= 3) at.setDate(at.getDate() + 1)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T03:00`
}

/** /system/notification/simulator: who is told if something fails at a given moment, and why others are not. */
export const SimulatorPage = () => {
  const { control, handleSubmit, setError } = useForm<Scene>({
    defaultValues: {
      ...{ objectKind: 'host', hostId: null, metricId: null, probeId: null, severity: 'error', at: nextNight() },
      ...{ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
      ...{ acknowledgedAfterMinutes: null, endsAfterMinutes: null },
    },
  })
  const kind = useWatch({ control, name: 'objectKind' })
  const simulation = useMutation({
    mutationFn: (body: SimulationInput) => call(notificationRuleRoutes.simulate, { body }),
  })
  const submit = handleSubmit(({ hostId, metricId, probeId, ...scene }) => {
    const field = scene.objectKind === 'host' ? 'hostId' : scene.objectKind === 'metric' ? 'metricId' : 'probeId'
    const objectId = { hostId, metricId, probeId }[field]
    if (objectId === null) setError(field, { message: words.choose })
    else if (!isLocalMinute(scene.at)) setError('at', { message: words.badTime })
    else if (!timeZone.safeParse(scene.timeZone).success) setError('timeZone', { message: words.badZone })
    else simulation.mutate({ ...scene, objectId })
  })
  return (
    <>
      <PageHeader />
      <NotificationTabs current="simulator" />
      <Card title={words.form}>
        <form className={classes.form} noValidate onSubmit={event => void submit(event)}>
          <ChoiceField
            control={control}
            name="objectKind"
            label={words.kind}
            choices={RULE_KINDS.map(value => ({ value, label: fr.kinds[value] }))}
          />
          {kind === 'host' ? (
            <RemoteSelectField
              key="host"
              control={control}
              name="hostId"
              label={words.host}
              source={hostOptions}
              required
            />
          ) : kind === 'metric' ? (
            <RemoteSelectField
              key="metric"
              control={control}
              name="metricId"
              label={words.metric}
              source={metricOptions}
              required
            />
          ) : (
            <RemoteSelectField
              key="probe"
              control={control}
              name="probeId"
              label={words.probe}
              source={probeOptions}
              required
            />
          )}
          <ChoiceField
            control={control}
            name="severity"
            label={words.severity}
            choices={RULE_SEVERITIES.map(value => ({ value, label: fr.severities[value] }))}
          />
          <DateTimeField control={control} name="at" label={words.at} required />
          <TimeZoneField control={control} name="timeZone" label={words.timeZone} required />
          <NumberField
            control={control}
            name="acknowledgedAfterMinutes"
            label={words.acknowledged}
            unit="min"
            help={words.never}
          />
          <NumberField control={control} name="endsAfterMinutes" label={words.ends} unit="min" help={words.endsNever} />
          <div className={classes.actions}>
            <Button type="submit" loading={simulation.isPending}>
              {words.run}
            </Button>
          </div>
        </form>
      </Card>
      {simulation.error !== null && (
        <Card>
          <ErrorState error={simulation.error} />
        </Card>
      )}
      {simulation.data !== undefined && simulation.error === null && <SimulationResult simulation={simulation.data} />}
    </>
  )
}
