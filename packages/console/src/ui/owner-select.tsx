import { Select } from '@mantine/core'
import { acknowledgementRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { acting as words } from '../i18n/acting.ts'
import { call } from '../lib/api.ts'
import { useSession } from '../lib/session.ts'
import { ownersQuery } from './act-words.ts'
import type { ActTargets } from './acting.ts'
import { errorText } from './page.tsx'

interface OwnerSelectProps {
  /** What is to be given: of one thing alone those are offered who may act on it. */
  readonly targets: ActTargets
  readonly value: string | null
  readonly onChange: (login: string | null) => void
  /** Choices before the accounts. */
  readonly first?: readonly { readonly value: string; readonly label: string }[]
  readonly error?: string | null
}

/** The accounts that may act on what is to be given, oneself first. */
export const OwnerSelect = ({ targets, value, onChange, first = [], error = null }: OwnerSelectProps) => {
  const login = useSession().user?.login ?? ''
  const query = ownersQuery(targets)
  const owners = useQuery({
    queryKey: ['incident-owners', query],
    queryFn: ({ signal }) => call(acknowledgementRoutes.owners, { query, signal }),
    staleTime: 0,
  })
  const { data = [] } = owners
  const me = data.some(one => one.login === login) ? [{ value: login, label: words.ownerMe }] : []
  const others = data
    .filter(one => one.login !== login)
    .map(one => ({ value: one.login, label: one.name === one.login ? one.login : `${one.name} (${one.login})` }))
  return (
    <Select
      label={words.owner}
      placeholder={words.chooseOwner}
      searchable
      allowDeselect={false}
      value={value}
      onChange={onChange}
      data={[...first, ...me, ...others]}
      error={error ?? (owners.error === null ? null : errorText(owners.error))}
      nothingFoundMessage={owners.isPending ? null : words.noOwner}
      comboboxProps={{ withinPortal: true }}
    />
  )
}
