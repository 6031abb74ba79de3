import { SegmentedControl } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { fr } from './fr.ts'

const PARAM = 'view'
const TREE = 'tree'

/** Whether the sites are shown as a list or as a tree: held in the URL, with the search that both have. */
export const useSiteView = (): { readonly isTree: boolean; readonly setTree: (tree: boolean) => void } => {
  const [params, setParams] = useSearchParams()
  const setTree = (tree: boolean): void =>
    setParams(
      current => {
        const search = current.get('q')
        return new URLSearchParams({ ...(tree && { [PARAM]: TREE }), ...(search !== null && { q: search }) })
      },
      { replace: true },
    )
  return { isTree: params.get(PARAM) === TREE, setTree }
}

/** « Liste | Arborescence ». */
export const SiteViewSwitch = () => {
  const { isTree, setTree } = useSiteView()
  return (
    <SegmentedControl
      aria-label={fr.view.label}
      value={isTree ? TREE : 'list'}
      onChange={value => setTree(value === TREE)}
      data={[
        { value: 'list', label: fr.view.list },
        { value: TREE, label: fr.view.tree },
      ]}
    />
  )
}
