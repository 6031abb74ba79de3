import { Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { PageHeader } from '../../ui/page.tsx'
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx'
import classes from './custom-field-page.module.css'
import { DefinitionsTab } from './definitions-tab.tsx'
import { fr } from './fr.ts'
import { GroupsTab } from './groups-tab.tsx'
import { PreviewTab } from './preview-tab.tsx'
import type { CellLevels } from './privilege-matrix.ts'
import { PrivilegesTab } from './privileges-tab.tsx'

const TABS = ['definitions', 'groups', 'privileges', 'preview'] as const
const NO_CHANGES: CellLevels = new Map()

/** /customfield/edit, with `?tab=`. */
export const CustomFieldPage = () => {
  const [params, setParams] = useSearchParams()
  const asked = params.get('tab')
  const tab = TABS.find(one => one === asked) ?? TABS[0]
  // Held here: changes of the matrix wait for « Enregistrer » while another tab is looked at.
  const [changes, setChanges] = useState(NO_CHANGES)
  const unsaved = useCallback(() => changes.size > 0, [changes])
  return (
    <>
      <PageHeader
        actions={
          <Button component={Link} to="/customfield/edit/new" leftSection={<IconPlus size={16} />}>
            {fr.definitions.add}
          </Button>
        }
      />
      <UnsavedGuard unsaved={unsaved} />
      <Tabs
        value={tab}
        onChange={next => setParams(next === null || next === TABS[0] ? {} : { tab: next })}
        keepMounted={false}
        className={classes.tabs}
      >
        <Tabs.List aria-label={fr.tabsLabel} className={classes.list}>
          {TABS.map(one => (
            <Tabs.Tab key={one} value={one}>
              {fr.tabs[one]}
              {one === 'privileges' && changes.size > 0 && <span className={classes.pending}>{changes.size}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="definitions">
          <DefinitionsTab />
        </Tabs.Panel>
        <Tabs.Panel value="groups">
          <GroupsTab />
        </Tabs.Panel>
        <Tabs.Panel value="privileges">
          <PrivilegesTab changes={changes} onChanges={setChanges} />
        </Tabs.Panel>
        <Tabs.Panel value="preview">
          <PreviewTab />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
