import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useSession } from '../../lib/session.ts'
import { AddressCard, type AddressDraft } from './address-card.tsx'
import classes from './first-run.module.css'
import { lookAt, useFirstSites, useSuggestions, useSupervise } from './first-run-queries.ts'
import { FoundCard } from './found-card.tsx'
import { fr } from './fr.ts'
import { ProbeLine } from './probe-line.tsx'
import { Steps } from './steps.tsx'

/** The zone of who installs, who is mostly where the equipment is. */
const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** An address, what answers there, and what to supervise it with. */
export const FirstHost = ({ onDone }: { readonly onDone: (hostId: number) => void }) => {
  const tries = useSession().canEverywhere('scanner_write')
  const sites = useFirstSites()
  const suggestions = useSuggestions()
  const form = useForm<AddressDraft>({
    defaultValues: { address: '', siteName: fr.site.default, timeZone: ownZone(), siteId: null },
  })
  /** The address whose checks are being chosen; null: it is being typed. */
  const [chosen, setChosen] = useState<string | null>(null)
  const cancel = useRef<AbortController | null>(null)
  useEffect(() => () => cancel.current?.abort(), [])
  const siteOf = (): number | null => form.getValues('siteId') ?? sites.data?.[0]?.id ?? null
  const looking = useMutation({
    mutationFn: (address: string) => {
      cancel.current = new AbortController()
      return lookAt(address, siteOf(), cancel.current.signal)
    },
    onSuccess: (_look, address) => setChosen(address),
  })
  const supervising = useSupervise(onDone)
  const begin = (address: string): void => {
    setChosen(null)
    supervising.reset()
    if (tries) looking.mutate(address)
    else setChosen(address)
  }
  const back = (): void => {
    cancel.current?.abort()
    looking.reset()
    setChosen(null)
  }
  return (
    <div className={classes.way}>
      <Steps current={chosen === null ? 'address' : 'checks'} />
      <ProbeLine />
      <AddressCard
        form={form}
        sites={sites.data}
        tries={tries}
        looking={looking.isPending ? (looking.variables ?? null) : null}
        error={looking.error}
        onBegin={begin}
        onStop={back}
        onWithout={setChosen}
      />
      {chosen !== null && (
        <FoundCard
          key={chosen}
          usualName={suggestions.data?.find(({ address }) => address === chosen)?.name ?? chosen}
          address={chosen}
          look={looking.data ?? null}
          pending={supervising.isPending}
          error={supervising.error}
          onOther={() => {
            back()
            form.reset({ ...form.getValues(), address: '' })
            form.setFocus('address')
          }}
          onSupervise={draft => {
            const { siteName, timeZone } = form.getValues()
            supervising.mutate({
              ...draft,
              address: chosen,
              site: siteOf() ?? { name: siteName.trim() || fr.site.default, timeZone },
            })
          }}
        />
      )}
    </div>
  )
}
