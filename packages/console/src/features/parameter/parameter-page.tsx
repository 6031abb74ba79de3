import { parameterRoutes, type SettingDefinition } from '@narval/contracts'
import { call } from '../../lib/api.ts'
import { EditorPage } from '../../ui/editor-page.tsx'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { fr } from './fr.ts'
import { LogoCard } from './logo-card.tsx'
import classes from './parameter.module.css'
import { ParameterForm } from './parameter-form.tsx'

type Group = SettingDefinition['group']
const TABS = [
  { key: 'collect', label: fr.tabs.collect, to: '/system/parameter' },
  { key: 'configuration', label: fr.tabs.configuration, to: '/system/parameter/configuration' },
] as const
const ROUTES = {
  collect: {
    ...{ list: parameterRoutes.collect, update: parameterRoutes.setCollect },
    ...{ help: fr.helpCollect, inForce: fr.savedCollect },
  },
  configuration: {
    ...{ list: parameterRoutes.configuration, update: parameterRoutes.setConfiguration },
    ...{ help: fr.helpConfiguration, inForce: fr.savedConfiguration },
  },
} as const satisfies Record<Group, object>

/** /system/parameter: by what the platform judges and collects. */
export const CollectPage = () => <Parameters group="collect" />
/** /system/parameter/configuration: all else that is set for everybody. */
export const ConfigurationPage = () => <Parameters group="configuration" />

const Parameters = ({ group }: { readonly group: Group }) => {
  const { list, update, help, inForce } = ROUTES[group]
  return (
    <>
      <PageTabs label={fr.title} tabs={TABS} current={group} />
      <p className={classes.help}>{help}</p>
      <EditorPage record={[`parameter-${group}`, 0]} load={signal => call(list, { signal })}>
        {settings => (
          <>
            <ParameterForm
              settings={settings}
              inForce={inForce}
              read={() => call(list)}
              write={(seen, body) => call(update, { query: { seen }, body })}
            />
            {group === 'configuration' && (
              <div className={classes.below}>
                <LogoCard />
              </div>
            )}
          </>
        )}
      </EditorPage>
    </>
  )
}
