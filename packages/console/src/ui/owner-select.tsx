import { Select } from '@mantine/core'
import { acknowledgementRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { acting as words } from '../i18n/acting.ts'
import { call } from '../lib/api.ts'
import { useSession } from '../lib/session.ts'

interface OwnerSelectProps {
  readonly value: string | null
  readonly onChange: (login: string | null) => void
  /** Choices before the accounts. */
  readonly first?: readonly { readonly value: string; readonly label: string }[]
  readonly error?: string | null
}

/** The accounts to whom an incident may be given, oneself first. */
export const OwnerSelect = ({ value, onChange, first = [], error = null }: OwnerSelectProps) => {
  const login = useSession().user?.login ?? ''
  const { data = [] } = useQuery({
    queryKey: ['incident-owners'],
    queryFn: ({ signal }) => call(acknowledgementRoutes.owners, { signal }),
  })
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
      data={[...first, { value: login, label: words.ownerMe }, ...others]}
      error={error}
      comboboxProps={{ withinPortal: true }}
    />
  )
}
