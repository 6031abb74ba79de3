import { TextInput } from '@mantine/core'
import { HOST_TYPE_ICONS, type HostTypeInput, hostRoutes, type ReplyOf } from '@narval/contracts'
import { useState } from 'react'
import { catalogue } from '../../i18n/catalogue.ts'
import { call } from '../../lib/api.ts'
import { CatalogueDialog } from '../../ui/catalogue-dialog.tsx'
import { FIELD_ORDER } from '../../ui/form-fields.tsx'
import { IconChoice } from '../../ui/icon-choice.tsx'
import { fr } from './fr.ts'
import { HOST_ICON_WORDS, HostTypeIcon } from './host-type-icon.tsx'

export type HostType = ReplyOf<typeof hostRoutes.types>[number]
export type HardwareModel = ReplyOf<typeof hostRoutes.models>[number]

const TYPE_MAX = 80
const MODEL_MAX = 120

interface EntryDialogProps<T> {
  /** Null: a new one. */
  readonly entry: T | null
  readonly onClose: () => void
  readonly onSaved: (saved: T) => void
}

/** Name and icon of a type of equipment. */
export const HostTypeDialog = ({ entry, onClose, onSaved }: EntryDialogProps<HostType>) => {
  const [icon, setIcon] = useState<HostTypeInput['icon']>(
    HOST_TYPE_ICONS.find(one => one === entry?.icon) ?? HOST_TYPE_ICONS[0],
  )
  return (
    <CatalogueDialog
      title={entry === null ? fr.catalogue.newType : catalogue.editTitle(entry.name)}
      name={entry?.name ?? null}
      maxLength={TYPE_MAX}
      save={name =>
        entry === null
          ? call(hostRoutes.createType, { body: { name, icon } })
          : call(hostRoutes.updateType, { params: { id: entry.id }, body: { name, icon } })
      }
      onClose={onClose}
      onSaved={onSaved}
    >
      <IconChoice
        icons={HOST_TYPE_ICONS}
        names={HOST_ICON_WORDS}
        draw={one => <HostTypeIcon icon={one} size={20} />}
        value={icon}
        onChange={setIcon}
      />
    </CatalogueDialog>
  )
}

/** Name and manufacturer of a hardware model. */
export const HardwareModelDialog = ({ entry, onClose, onSaved }: EntryDialogProps<HardwareModel>) => {
  const [manufacturer, setManufacturer] = useState(entry?.manufacturer ?? '')
  return (
    <CatalogueDialog
      title={entry === null ? fr.catalogue.newModel : catalogue.editTitle(entry.name)}
      name={entry?.name ?? null}
      maxLength={MODEL_MAX}
      save={name => {
        const body = { name, manufacturer }
        return entry === null
          ? call(hostRoutes.createModel, { body })
          : call(hostRoutes.updateModel, { params: { id: entry.id }, body })
      }}
      onClose={onClose}
      onSaved={onSaved}
    >
      <TextInput
        label={fr.catalogue.manufacturer}
        description={fr.catalogue.manufacturerHelp}
        inputWrapperOrder={FIELD_ORDER}
        maxLength={MODEL_MAX}
        value={manufacturer}
        onChange={event => setManufacturer(event.currentTarget.value)}
      />
    </CatalogueDialog>
  )
}
