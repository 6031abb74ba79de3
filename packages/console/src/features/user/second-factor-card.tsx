import { Button, Group } from '@mantine/core'
import { type SecondFactor, secondFactorRoutes } from '@narval/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Card, NotLoaded } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import classes from './my-account.module.css'
import { EnrolDialog, RemoveDialog, RenewDialog } from './second-factor-dialogs.tsx'

const { factor: words } = fr
const KEY = ['account', 'second-factor']

/** Whether signing in asks for a code too, and how to change that. */
export const SecondFactorCard = () => {
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'enrol' | 'renew' | 'remove' | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(secondFactorRoutes.own, { signal }),
  })
  const close = (): void => {
    setDialog(null)
    void client.invalidateQueries({ queryKey: ['account'] })
  }
  return (
    <Card title={words.title}>
      {data === undefined ? (
        <NotLoaded error={error} onRetry={refetch} height={96} />
      ) : (
        <div className={classes.form}>
          <State factor={data} />
          <Group gap="sm">
            {data.enabledAt === null ? (
              <Button onClick={() => setDialog('enrol')}>{words.enable}</Button>
            ) : (
              <>
                <Button variant="default" onClick={() => setDialog('renew')}>
                  {words.renew}
                </Button>
                <Button variant="default" onClick={() => setDialog('remove')}>
                  {words.remove}
                </Button>
              </>
            )}
          </Group>
        </div>
      )}
      {dialog === 'enrol' && <EnrolDialog onClose={close} />}
      {dialog === 'renew' && <RenewDialog onClose={close} />}
      {dialog === 'remove' && <RemoveDialog onClose={close} />}
    </Card>
  )
}

const FEW = 3
const State = ({ factor }: { readonly factor: SecondFactor }) =>
  factor.enabledAt === null ? (
    <p className={classes.note}>{words.off}</p>
  ) : (
    <div>
      <p className={classes.note}>{words.since(formatDateTime(factor.enabledAt))}</p>
      <p className={factor.codesLeft <= FEW ? classes.refused : classes.note}>{words.codesLeft(factor.codesLeft)}</p>
    </div>
  )
