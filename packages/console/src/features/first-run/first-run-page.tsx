import { Button } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { idOf } from '../../lib/address.ts'
import { PageHeader } from '../../ui/page.tsx'
import { FirstHost } from './first-host.tsx'
import { FirstMeasures } from './first-measures.tsx'
import { fr } from './fr.ts'

/** /host/first: from an address to the first measures of a host; `?host=` is the one that was made. */
export const FirstRunPage = () => {
  const [params, setParams] = useSearchParams()
  const hostId = idOf(params.get('host'))
  return (
    <>
      <PageHeader
        actions={
          hostId === null && (
            <Button component={Link} variant="subtle" to="/dashboard/live-view">
              {fr.later}
            </Button>
          )
        }
      />
      {hostId === null ? (
        <FirstHost onDone={id => setParams({ host: String(id) }, { replace: true })} />
      ) : (
        <FirstMeasures hostId={hostId} />
      )}
    </>
  )
}
