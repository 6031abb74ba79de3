import { type ReplyOf, SITE_TYPE_ICONS, type SiteTypeInput, siteRoutes } from '@narval/contracts'
import { useState } from 'react'
import { catalogue } from '../../i18n/catalogue.ts'
import { call } from '../../lib/api.ts'
import { CatalogueDialog } from '../../ui/catalogue-dialog.tsx'
import { IconChoice } from '../../ui/icon-choice.tsx'
import { fr } from './fr.ts'
import { ICON_WORDS, SiteTypeIcon } from './site-type-icon.tsx'

export type SiteType = ReplyOf<typeof siteRoutes.types>[number]

const NAME_MAX = 60

interface SiteTypeDialogProps {
  /** Null: a new one. */
  readonly entry: SiteType | null
  readonly onClose: () => void
  readonly onSaved: (type: SiteType) => void
}

/** Name and icon of a type of site. */
export const SiteTypeDialog = ({ entry: type, onClose, onSaved }: SiteTypeDialogProps) => {
  const [icon, setIcon] = useState<SiteTypeInput['icon']>(
    SITE_TYPE_ICONS.find(one => one === type?.icon) ?? SITE_TYPE_ICONS[0],
  )
  return (
    <CatalogueDialog
      title={type === null ? fr.types.newTitle : catalogue.editTitle(type.name)}
      name={type?.name ?? null}
      maxLength={NAME_MAX}
      save={name =>
        type === null
          ? call(siteRoutes.createType, { body: { name, icon } })
          : call(siteRoutes.updateType, { params: { id: type.id }, body: { name, icon } })
      }
      onClose={onClose}
      onSaved={onSaved}
    >
      <IconChoice
        icons={SITE_TYPE_ICONS}
        names={ICON_WORDS}
        draw={one => <SiteTypeIcon icon={one} size={20} />}
        value={icon}
        onChange={setIcon}
      />
    </CatalogueDialog>
  )
}
