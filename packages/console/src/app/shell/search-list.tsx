import type { SearchKind } from '@narval/contracts'
import {
  IconArrowRight,
  IconDeviceTv,
  IconFileImport,
  IconLogout,
  IconPlus,
  type IconProps,
  IconSunMoon,
  IconUserCheck,
} from '@tabler/icons-react'
import { type ComponentType, Fragment, type MouseEvent } from 'react'
import { fr } from '../../i18n/fr.ts'
import { SeverityIcon } from '../../ui/severity.tsx'
import type { MenuIcon } from '../menu.ts'
import { EntryIcon } from './menu-icons.tsx'
import type { SearchGroup, SearchOption } from './search.ts'
import type { ActionIcon } from './search-actions.ts'
import classes from './search-box.module.css'
import { searchFr as words } from './search-fr.ts'
import { markedParts, missingWords } from './search-marks.ts'

const ACTION_ICONS: Readonly<Record<ActionIcon, ComponentType<IconProps>>> = {
  act: IconUserCheck,
  add: IconPlus,
  import: IconFileImport,
  screen: IconDeviceTv,
  theme: IconSunMoon,
  leave: IconLogout,
}
const KIND_ICONS: Readonly<Record<SearchKind, MenuIcon>> = {
  site: 'site',
  host: 'host',
  incident: 'general',
  metric: 'metric',
  scanner: 'scanner',
  probe: 'probe',
  model: 'host',
  user: 'user',
  group: 'group',
}

/** The id of an option's element, which the field names as the one that is chosen. */
export const optionId = (listId: string, key: string): string => `${listId}-${key.replace(/[^\w-]+/g, '_')}`

interface SearchListProps {
  readonly id: string
  readonly groups: readonly SearchGroup[]
  readonly term: string
  readonly active: SearchOption | null
  readonly onFollow: (option: SearchOption, isNewTab: boolean) => void
  readonly onPoint: (option: SearchOption) => void
}

/** What was found, by kind. The field keeps the cursor: the list is read through it. */
export const SearchList = ({ id, groups, term, active, onFollow, onPoint }: SearchListProps) => (
  <div id={id} role="listbox" aria-label={words.label} className={classes.options}>
    {groups.map(group => (
      // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields.
      <div key={group.key} role="group" aria-labelledby={`${id}-${group.key}`}>
        <div id={`${id}-${group.key}`} className={classes.group}>
          {group.label}
        </div>
        {group.options.map(option => (
          <Option
            key={option.key}
            id={optionId(id, option.key)}
            option={option}
            term={term}
            isActive={option.key === active?.key}
            onFollow={onFollow}
            onPoint={onPoint}
          />
        ))}
      </div>
    ))}
  </div>
)

interface OptionProps extends Pick<SearchListProps, 'term' | 'onFollow' | 'onPoint'> {
  readonly id: string
  readonly option: SearchOption
  readonly isActive: boolean
}

const Option = ({ id, option, term, isActive, onFollow, onPoint }: OptionProps) => {
  const { label, detail, shown } = option
  const follow = (event: MouseEvent, isNewTab: boolean): void => {
    event.preventDefault()
    onFollow(option, isNewTab)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys of the list (combobox).
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen option.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      title={detail === '' ? label : `${label}\n${detail}`}
      onMouseDown={event => event.preventDefault()}
      onMouseMove={() => !isActive && onPoint(option)}
      onClick={event => follow(event, event.ctrlKey || event.metaKey)}
      onAuxClick={event => event.button === 1 && follow(event, true)}
    >
      <OptionIcon shown={shown} />
      <span className={classes.name}>
        <Marked text={label} term={shown.kind === 'more' ? '' : term} />
      </span>
      {detail !== '' && (
        <span className={classes.detail}>
          <Marked text={detail} term={missingWords(label, term)} />
        </span>
      )}
    </div>
  )
}

const OptionIcon = ({ shown }: Pick<SearchOption, 'shown'>) => {
  switch (shown.kind) {
    case 'page':
      return <EntryIcon icon={shown.page.icon} />
    case 'action': {
      const Icon = ACTION_ICONS[shown.action.icon]
      return <Icon size={18} stroke={1.7} aria-hidden="true" />
    }
    case 'more':
      return <IconArrowRight size={18} stroke={1.7} aria-hidden="true" />
    case 'act':
      return <IconUserCheck size={18} stroke={1.7} aria-hidden="true" />
    case 'object': {
      const { kind, severity } = shown.object
      if (severity !== null) return <SeverityIcon severity={severity} size={18} label={fr.severity[severity]} />
      return <EntryIcon icon={KIND_ICONS[kind]} />
    }
    default:
      return shown satisfies never
  }
}

const Marked = ({ text, term }: { readonly text: string; readonly term: string }) =>
  markedParts(text, term).map(part =>
    part.isMarked ? <mark key={part.at}>{part.text}</mark> : <Fragment key={part.at}>{part.text}</Fragment>,
  )

/** What the keys do, for who has them. */
export const SearchKeys = () => (
  <div className={classes.keys} aria-hidden="true">
    <span>
      <kbd>↑</kbd> <kbd>↓</kbd> {words.keys.choose}
    </span>
    <span>
      <kbd>Entrée</kbd> {words.keys.open}
    </span>
    <span>
      <kbd>Ctrl</kbd> <kbd>Entrée</kbd> {words.keys.newTab}
    </span>
    <span>
      <kbd>Échap</kbd> {words.keys.close}
    </span>
  </div>
)
