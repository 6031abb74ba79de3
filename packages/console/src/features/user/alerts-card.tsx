import { Button, Checkbox, Group, Radio, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ALERT_SITES_MAX, type AlertSettings, alertSettingsRoutes } from '@narval/contracts'
import { SEVERITIES } from '@narval/engine'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useCallback, useState } from 'react'
import { fr as common } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { NOTIFICATIONS_KEY } from '../../lib/notification-queries.ts'
import { siteOptions } from '../../lib/option-sources.ts'
import { Card, errorText, NotLoaded } from '../../ui/page.tsx'
import { RemoteMultiSelect } from '../../ui/remote-multi-select.tsx'
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx'
import { fr } from './fr.ts'
import classes from './my-account.module.css'
import { QuietFields } from './quiet-hours.tsx'

const { alerts: words } = fr
const KEY = ['alert-settings']
const PROBLEMS = SEVERITIES.filter(severity => severity !== 'ok')

/** Which alerts become toasts and unread notifications of one's own. */
export const AlertsCard = () => {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(alertSettingsRoutes.get, { signal }),
  })
  return (
    <Card title={words.title}>
      {data !== undefined ? (
        <AlertsForm key={JSON.stringify(data)} settings={data} />
      ) : (
        <NotLoaded error={error} onRetry={refetch} height={220} />
      )}
    </Card>
  )
}

const AlertsForm = ({ settings }: { readonly settings: AlertSettings }) => {
  const client = useQueryClient()
  const [draft, setDraft] = useState(settings)
  const [chooses, setChooses] = useState(settings.sites !== null)
  const set = (part: Partial<AlertSettings>): void => setDraft({ ...draft, ...part })
  const wanted: AlertSettings = { ...draft, sites: chooses ? draft.sites : null }
  const saving = useMutation({
    mutationFn: () => call(alertSettingsRoutes.update, { body: wanted }),
    onSuccess: async saved => {
      client.setQueryData(KEY, saved)
      notifications.show({ message: words.saved, color: 'green' })
      await client.invalidateQueries({ queryKey: NOTIFICATIONS_KEY })
    },
  })
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(settings)
  const unsaved = useCallback(() => isChanged, [isChanged])
  const lacksSites = chooses && (draft.sites ?? []).length === 0
  const isIncomplete = lacksSites || draft.quiet?.days.length === 0
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isIncomplete) saving.mutate()
  }
  return (
    <form onSubmit={submit} aria-label={words.title}>
      <UnsavedGuard unsaved={unsaved} />
      <Stack gap="sm">
        <p className={classes.note}>{words.help}</p>
        <Checkbox.Group label={words.severities} value={valuesOf(draft)}>
          <Group gap="md" mt={6}>
            {PROBLEMS.map(severity => (
              <Checkbox
                key={severity}
                value={severity}
                label={common.severity[severity]}
                onChange={event => set({ [severity]: event.currentTarget.checked })}
              />
            ))}
            <Checkbox
              value="recovery"
              label={words.recovery}
              onChange={event => set({ recovery: event.currentTarget.checked })}
            />
          </Group>
        </Checkbox.Group>
        <Checkbox
          label={words.mine}
          checked={draft.mine}
          onChange={event => set({ mine: event.currentTarget.checked })}
        />
        <Checkbox
          label={words.acts}
          checked={draft.acts}
          onChange={event => set({ acts: event.currentTarget.checked })}
        />
        <QuietFields value={draft.quiet} onChange={quiet => set({ quiet })} />
        <Radio.Group
          label={words.sites}
          value={chooses ? 'some' : 'all'}
          onChange={value => setChooses(value === 'some')}
        >
          <Group gap="md" mt={6}>
            <Radio value="all" label={words.allSites} />
            <Radio value="some" label={words.someSites} />
          </Group>
        </Radio.Group>
        {chooses && (
          <RemoteMultiSelect
            label={words.chosenSites}
            source={siteOptions}
            max={ALERT_SITES_MAX}
            values={draft.sites ?? []}
            onChange={sites => set({ sites })}
          />
        )}
        {lacksSites && <p className={classes.note}>{words.lacksSites}</p>}
        {saving.error !== null && (
          <p className={classes.refused} role="alert">
            {errorText(saving.error)}
          </p>
        )}
        <Group justify="flex-end">
          <Button type="submit" disabled={!isChanged || isIncomplete} loading={saving.isPending}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const valuesOf = (settings: AlertSettings): string[] => [
  ...PROBLEMS.filter(severity => settings[severity]),
  ...(settings.recovery ? ['recovery'] : []),
]
