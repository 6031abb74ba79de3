import { hostRoutes } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import classes from '../../ui/catalogue.module.css'
import { CatalogueCard } from '../../ui/catalogue-card.tsx'
import { fr } from './fr.ts'
import { type HardwareModel, HardwareModelDialog, type HostType, HostTypeDialog } from './host-catalogue-dialogs.tsx'
import { HostTypeIcon } from './host-type-icon.tsx'

const { catalogue: words } = fr

/** /host/edit/type: types of equipment and hardware models. */
export const HostCataloguePage = () => {
  const types = useQuery({ queryKey: ['host-types'], queryFn: ({ signal }) => call(hostRoutes.types, { signal }) })
  const models = useQuery({ queryKey: ['host-models'], queryFn: ({ signal }) => call(hostRoutes.models, { signal }) })
  return (
    <div className={classes.cards}>
      <CatalogueCard<HostType>
        title={words.types}
        help={words.typesHelp}
        add={words.addType}
        query={types}
        icon={type => <HostTypeIcon icon={type.icon} size={20} />}
        empty={words.noType}
        dialog={HostTypeDialog}
        remove={id => call(hostRoutes.deleteType, { params: { id } })}
      />
      <CatalogueCard<HardwareModel>
        title={words.models}
        help={words.modelsHelp}
        add={words.addModel}
        query={models}
        note={model => model.manufacturer}
        empty={words.noModel}
        dialog={HardwareModelDialog}
        remove={id => call(hostRoutes.deleteModel, { params: { id } })}
      />
    </div>
  )
}
