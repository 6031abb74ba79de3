import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { FIRST_RUN } from '../lib/first-run.ts'
import { useSession } from '../lib/session.ts'

/** What the way to the first host is called wherever it is offered. */
export const FIRST_HOST = 'Superviser un premier équipement'

/** Where nothing is supervised, the way that tries an address first; `otherwise` for those who do not add hosts everywhere. */
export const FirstHostButton = ({ otherwise = null }: { readonly otherwise?: ReactNode }) =>
  useSession().canEverywhere('host_write') ? (
    <Button component={Link} to={FIRST_RUN} rightSection={<IconArrowRight size={16} />}>
      {FIRST_HOST}
    </Button>
  ) : (
    otherwise
  )
