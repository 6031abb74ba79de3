import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type ReplyOf, SITE_TYPE_ICONS, type SiteTypeInput, siteRoutes } from '@narval/contracts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/http.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import { ICON_WORDS, SiteTypeIcon } from './site-type-icon.tsx'
import classes from './site-types.module.css'

const { types: words } = fr
export type SiteType = ReplyOf<typeof siteRoutes.types>[number]

interface SiteTypeDialogProps {
  /** Null: a new one. */
  readonly type: SiteType | null
  readonly onClose: () => void
  readonly onSaved: (type: SiteType) => void
}

/** Name and icon of a type of site. */
export const SiteTypeDialog = ({ type, onClose, onSaved }: SiteTypeDialogProps) => {
  const [name, setName] = useState(type?.name ?? '')
  const [icon, setIcon] = useState<SiteTypeInput['icon']>(
    SITE_TYPE_ICONS.find(one => one === type?.icon) ?? SITE_TYPE_ICONS[0],
  )
  const [tried, setTried] = useState(false)
  const saving = useMutation({
    mutationFn: (body: SiteTypeInput) =>
      type === null
        ? call(siteRoutes.createType, { body })
        : call(siteRoutes.updateType, { params: { id: type.id }, body }),
    onSuccess: onSaved,
  })
  const ofField = saving.error instanceof ApiError ? saving.error.problem.fields?.name : undefined
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (name.trim() !== '') saving.mutate({ name, icon })
  }
  return (
    <Modal opened onClose={onClose} title={type === null ? words.newTitle : words.editTitle(type.name)} centered>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label={words.name}
          withAsterisk
          data-autofocus
          maxLength={60}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          error={tried && name.trim() === '' ? words.required : ofField}
        />
        <fieldset className={classes.icons}>
          <legend>{words.icon}</legend>
          {SITE_TYPE_ICONS.map(one => (
            <label key={one} className={classes.choice} title={ICON_WORDS[one]}>
              <input
                type="radio"
                name="icon"
                aria-label={ICON_WORDS[one]}
                checked={icon === one}
                onChange={() => setIcon(one)}
              />
              <SiteTypeIcon icon={one} size={20} />
            </label>
          ))}
        </fieldset>
        {saving.error !== null && ofField === undefined && (
          <Notice tone="error" icon={<IconAlertTriangle size={18} />}>
            <p>{errorText(saving.error)}</p>
          </Notice>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {type === null ? words.create : words.save}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
