import { Combobox, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { fold, type SearchResult, searchRoutes } from '@narval/contracts'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { SeverityIcon } from '../../ui/severity.tsx'
import { ADMINISTRATION_MENU, GENERAL_MENU, menuLinks, visibleMenu } from '../menu.ts'
import { EntryIcon } from './menu-icons.tsx'
import { findPages, objectLink, type PageFound } from './search.ts'
import classes from './search-box.module.css'
import side from './side-bar.module.css'

interface SearchBoxProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly onFollow: () => void
  /** Of the results, in pixels. */
  readonly width: number
}

const DELAY_MS = 180
const KINDS = ['site', 'host', 'metric'] as const

const usePages = (term: string): PageFound[] => {
  const { can } = useSession()
  return findPages(menuLinks(visibleMenu([...GENERAL_MENU, ...ADMINISTRATION_MENU], can)), term, can)
}

const useObjects = (term: string) => {
  const [settled] = useDebouncedValue(term, DELAY_MS)
  return useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => call(searchRoutes.search, { query: { term: settled }, signal }),
    enabled: settled !== '' && term !== '',
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    gcTime: 30_000,
    retry: false,
  })
}

/** The search box of the side bar: pages, and sites, hosts and metrics by name with their state, as one types. */
export const SearchBox = ({ inputRef, onFollow, width }: SearchBoxProps) => {
  const [text, setText] = useState('')
  const term = text.trim()
  const navigate = useNavigate()
  const pages = usePages(term)
  const objects = useObjects(fold(term).slice(0, 100))
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })

  // The first result is ready for Enter.
  const first = pages[0]?.to ?? objects.data?.[0]?.id
  const selectFirst = useEffectEvent(() => combobox.selectFirstOption())
  useEffect(() => {
    if (term !== '' && first !== undefined) selectFirst()
  }, [term, first])

  const follow = (link: string): void => {
    combobox.closeDropdown()
    setText('')
    inputRef.current?.blur()
    onFollow()
    void navigate(link)
  }

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={follow}
      position="bottom-start"
      width={width}
      offset={6}
      shadow="md"
      withinPortal={false}
    >
      <div className={side.search}>
        <IconSearch size={16} stroke={1.8} aria-hidden="true" />
        <Combobox.Target withExpandedAttribute>
          <input
            ref={inputRef}
            type="text"
            inputMode="search"
            enterKeyHint="go"
            role="combobox"
            aria-expanded={combobox.dropdownOpened}
            aria-controls={combobox.listId ?? undefined}
            aria-label={fr.shell.search}
            aria-description={fr.shell.searchHelp}
            placeholder={fr.shell.search}
            value={text}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            onChange={event => {
              setText(event.currentTarget.value)
              combobox.openDropdown()
            }}
            onFocus={() => text !== '' && combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        {text === '' && <kbd>Ctrl K</kbd>}
      </div>
      <Combobox.Dropdown className={classes.dropdown} hidden={term === ''}>
        <Combobox.Options className={classes.options}>
          <Pages pages={pages} />
          <Objects found={objects.data ?? []} />
          {pages.length === 0 && (objects.data ?? []).length === 0 && (
            <Combobox.Empty>{emptyText(term, objects.isFetching || objects.isPending, objects.isError)}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

const emptyText = (term: string, waiting: boolean, failed: boolean): string => {
  if (failed) return fr.shell.searchFailed
  return waiting ? fr.shell.searchWaiting : fr.shell.searchNothing(term)
}

const Pages = ({ pages }: { readonly pages: readonly PageFound[] }) =>
  pages.length === 0 ? null : (
    <Combobox.Group label={fr.shell.searchPages}>
      {pages.map(page => (
        <Combobox.Option key={page.to} value={page.to} className={classes.option}>
          <EntryIcon icon={page.icon} />
          <span className={classes.name}>{page.label}</span>
          {page.group !== null && <span className={classes.detail}>{page.group}</span>}
        </Combobox.Option>
      ))}
    </Combobox.Group>
  )

const Objects = ({ found }: { readonly found: readonly SearchResult[] }) =>
  KINDS.map(kind => {
    const ofKind = found.filter(one => one.kind === kind)
    return ofKind.length === 0 ? null : (
      <Combobox.Group key={kind} label={fr.shell.searchKinds[kind]}>
        {ofKind.map(one => (
          <Combobox.Option key={one.id} value={objectLink(one)} className={classes.option}>
            <SeverityIcon severity={one.severity} label={fr.severity[one.severity]} />
            <span className={classes.name}>{one.name}</span>
            <span className={classes.detail}>{one.detail}</span>
          </Combobox.Option>
        ))}
      </Combobox.Group>
    )
  })
