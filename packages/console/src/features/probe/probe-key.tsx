import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Probe, probeRoutes } from '@narval/contracts'
import { IconKey } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { Card, errorText } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './probe.module.css'

const TIMEOUT_MS = 40_000
const { key: words } = fr

/** A fingerprint in fours, as one reads it aloud. */
export const Fingerprint = ({ text }: { readonly text: string }) => (
  <code className={classes.fingerprint}>{text.match(/.{1,4}/g)?.join(' ')}</code>
)

/** By which key the server knows a probe, and its renewal. */
export const ProbeKey = ({ probe, onRenewed }: { readonly probe: Probe; readonly onRenewed: () => void }) => {
  const renewal = useMutation({
    mutationFn: () => call(probeRoutes.renewKey, { params: { id: probe.id }, timeoutMs: TIMEOUT_MS }),
    onSuccess: () => {
      notifications.show({ color: 'green', message: words.renewed })
      onRenewed()
    },
    onError: error => notifications.show({ color: 'red', title: words.failed, message: errorText(error) }),
  })
  return (
    <Card title={words.title}>
      <div className={classes.key}>
        <div>
          <p className={classes.label}>{words.fingerprint}</p>
          <Fingerprint text={probe.fingerprint} />
        </div>
        <div>
          <p className={classes.label}>{words.since}</p>
          <Ago at={probe.keyAt} />
        </div>
        <Button
          variant="default"
          leftSection={<IconKey size={16} />}
          disabled={probe.state !== 'online'}
          loading={renewal.isPending}
          onClick={() => renewal.mutate()}
        >
          {words.renew}
        </Button>
      </div>
      <Text size="sm" c="dimmed" mt="sm">
        {words.help}
      </Text>
    </Card>
  )
}
