import { siteRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { CatalogueCard } from '../../ui/catalogue-card.tsx'
import { fr } from './fr.ts'
import { type SiteType, SiteTypeDialog } from './site-type-dialog.tsx'
import { SiteTypeIcon } from './site-type-icon.tsx'

const { types: words } = fr

/** /site/edit/type: the types of sites. */
export const SiteTypesPage = () => {
  const types = useQuery({ queryKey: ['site-types'], queryFn: ({ signal }) => call(siteRoutes.types, { signal }) })
  return (
    <CatalogueCard<SiteType>
      help={words.help}
      add={words.add}
      query={types}
      icon={type => <SiteTypeIcon icon={type.icon} size={20} />}
      empty={words.empty}
      dialog={SiteTypeDialog}
      remove={id => call(siteRoutes.deleteType, { params: { id } })}
    />
  )
}
