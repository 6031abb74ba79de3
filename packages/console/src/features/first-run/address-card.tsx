import { Button, TextInput } from '@mantine/core'
import { isHostAddress } from '@narval/contracts'
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react'
import { type UseFormReturn, useController } from 'react-hook-form'
import { siteOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { TextField } from '../../ui/form-fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, errorText } from '../../ui/page.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import { TimeZoneField } from '../../ui/time-zone-field.tsx'
import classes from './first-run.module.css'
import { useSuggestions } from './first-run-queries.ts'
import { fr } from './fr.ts'

export interface AddressDraft {
  address: string
  /** Null: the first one that there is. */
  siteId: number | null
  /** Of the site to be made where there is none. */
  siteName: string
  timeZone: string
}

interface AddressCardProps {
  readonly form: UseFormReturn<AddressDraft>
  /** The first sites by name; undefined while they are asked for. */
  readonly sites: readonly { readonly id: number; readonly text: string }[] | undefined
  /** Whether the address is tried before anything is made. */
  readonly tries: boolean
  /** The address that is being tried. */
  readonly looking: string | null
  readonly error: Error | null
  readonly onBegin: (address: string) => void
  readonly onStop: () => void
  readonly onWithout: (address: string) => void
}

/** What to supervise first, and where it stands. */
export const AddressCard = (props: AddressCardProps) => {
  const { form, sites, tries, looking, error, onBegin, onStop, onWithout } = props
  const { data: suggestions = [] } = useSuggestions()
  const creates = useSession().can('site_write')
  // A host stands on a site: where there is none, and none may be made, there is no way on.
  const isStuck = sites === undefined || (sites.length === 0 && !creates)
  const address = useController({
    control: form.control,
    name: 'address',
    rules: { validate: text => isHostAddress(text.trim()) || fr.address.wrong },
  })
  const begin = form.handleSubmit(values => (isStuck ? undefined : onBegin(values.address.trim())))
  const suggest = (suggested: string): void => {
    form.setValue('address', suggested, { shouldValidate: true })
    onBegin(suggested)
  }
  return (
    <Card title={fr.address.title}>
      <p className={classes.help}>{fr.address.help}</p>
      <form
        className={classes.form}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void begin()
        }}
      >
        <div className={classes.line}>
          <TextInput
            {...address.field}
            className={classes.grows}
            label={fr.address.label}
            placeholder={fr.address.placeholder}
            error={address.fieldState.error?.message}
            maxLength={253}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            autoFocus
          />
          {looking === null ? (
            <Button
              type="submit"
              className={classes.beside}
              rightSection={<IconArrowRight size={16} />}
              disabled={isStuck}
            >
              {tries ? fr.address.try : fr.address.next}
            </Button>
          ) : (
            <Button variant="default" className={classes.beside} onClick={onStop}>
              {fr.address.stop}
            </Button>
          )}
        </div>
        {suggestions.length > 0 && (
          <p className={classes.suggestions}>
            {fr.address.suggestions}
            {suggestions.map(({ name, address: suggested }) => (
              <Button
                key={suggested}
                variant="default"
                size="compact-sm"
                disabled={looking !== null || isStuck}
                onClick={() => suggest(suggested)}
              >
                {fr.address.suggestion(name, suggested)}
              </Button>
            ))}
          </p>
        )}
        <SiteFields form={form} sites={sites} creates={creates} />
      </form>
      <div aria-live="polite">
        {looking !== null && <p className={classes.trying}>{fr.address.trying(looking)}</p>}
        {looking === null && error !== null && !isAborted(error) && (
          <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={fr.address.failed}>
            <p>{errorText(error)}</p>
            <Button variant="default" size="compact-sm" onClick={() => onWithout(form.getValues('address').trim())}>
              {fr.address.without}
            </Button>
          </Notice>
        )}
      </div>
    </Card>
  )
}

const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** The site that there is, or the first one, which is made with the host. */
const SiteFields = ({
  form,
  sites,
  creates,
}: Pick<AddressCardProps, 'form' | 'sites'> & { readonly creates: boolean }) => {
  const { field } = useController({ control: form.control, name: 'siteId' })
  const first = sites?.[0]
  if (sites === undefined) return null
  if (first !== undefined)
    return (
      <div className={classes.pair}>
        <RemoteSelect
          label={fr.site.label}
          help={fr.site.help}
          source={siteOptions}
          known={{ id: first.id, name: first.text }}
          value={field.value ?? first.id}
          onChange={field.onChange}
          required
        />
      </div>
    )
  if (!creates)
    return (
      <Notice tone="warning" icon={<IconAlertTriangle size={18} />} title={fr.site.none}>
        <p>{fr.site.noneText}</p>
      </Notice>
    )
  return (
    <div className={classes.pair}>
      <TextField control={form.control} name="siteName" label={fr.site.name} help={fr.site.nameHelp} maxLength={120} />
      <TimeZoneField control={form.control} name="timeZone" label={fr.site.zone} />
    </div>
  )
}
