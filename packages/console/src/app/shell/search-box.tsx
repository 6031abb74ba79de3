import { useComputedColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { accountRoutes, type OwnAccount } from '@narval/contracts'
import { IconSearch } from '@tabler/icons-react'
import {
  type FocusEvent,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../lib/api.ts'
import { session, signOut } from '../../lib/session.ts'
import hiding from '../../ui/hidden.module.css'
import { errorText } from '../../ui/page.tsx'
import type { SearchOption } from './search.ts'
import { type ActionRun, verbOf } from './search-actions.ts'
import classes from './search-box.module.css'
import { searchFr as words } from './search-fr.ts'
import { optionId, SearchKeys, SearchList } from './search-list.tsx'
import side from './side-bar.module.css'
import { useSearch } from './use-search.ts'

interface SearchBoxProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly onFollow: () => void
  /** Over the page, or inside the drawer, which has less room. */
  readonly isNarrow: boolean
  /** The cursor goes to it when what it stands in opens. */
  readonly seeks: boolean
}

/** Loaded when something is done: its dialogs are of no use before. */
const SearchAct = lazy(async () => ({ default: (await import('./search-act.tsx')).SearchAct }))
type Acted = Extract<SearchOption['shown'], { readonly kind: 'act' }>

/** Enter came before the answer to what was typed: it is followed when it comes. */
type Waiting = 'here' | 'new-tab' | null
/** What is found without asking the server is always of what is typed. */
const IN_CONSOLE: ReadonlySet<SearchOption['shown']['kind']> = new Set(['page', 'action'])

/** The search box of the side bar: pages, objects with their state, people and actions, as one types. */
export const SearchBox = ({ inputRef, onFollow, isNarrow, seeks }: SearchBoxProps) => {
  const box = useBox(inputRef, onFollow)
  const listId = useId()
  const { text, term, isShown, options, active, view, act } = box
  useEffect(() => {
    if (active !== null) document.getElementById(optionId(listId, active.key))?.scrollIntoView({ block: 'nearest' })
  }, [active, listId])
  return (
    <div className={side.search}>
      <IconSearch size={16} stroke={1.8} aria-hidden="true" />
      <input
        ref={inputRef}
        data-autofocus={seeks || undefined}
        type="text"
        inputMode="search"
        enterKeyHint="go"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-activedescendant={isShown && active !== null ? optionId(listId, active.key) : undefined}
        aria-label={words.label}
        aria-description={words.help}
        placeholder={words.label}
        value={text}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        onChange={event => box.type(event.currentTarget.value)}
        onFocus={box.enter}
        onClick={box.open}
        onBlur={box.leave}
        onKeyDown={box.press}
        // The drawer that the box stands in on a phone hears Escape before it.
        data-mantine-stop-propagation={isShown || undefined}
      />
      {text === '' && <kbd>Ctrl K</kbd>}
      {isShown && (
        <div className={classes.dropdown} data-narrow={isNarrow || undefined}>
          <SearchList
            id={listId}
            groups={view.groups}
            term={term}
            active={active}
            onFollow={box.follow}
            onPoint={box.point}
          />
          {term !== '' && <Notice term={term} count={options.length} isLate={view.isLate} hasFailed={view.hasFailed} />}
          {!isNarrow && options.length > 0 && <SearchKeys />}
        </div>
      )}
      {act !== null && (
        <Suspense>
          <SearchAct key={`${act.verb}:${act.object.kind}:${act.object.id}`} {...act} onEnd={box.endAct} />
        </Suspense>
      )}
      <p className={hiding.hidden} aria-live="polite">
        {isShown && term !== '' && !view.isLate ? words.results(options.length) : ''}
      </p>
    </div>
  )
}

const useBox = (inputRef: RefObject<HTMLInputElement | null>, onFollow: () => void) => {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const [waiting, setWaiting] = useState<Waiting>(null)
  const [act, setAct] = useState<Acted | null>(null)
  const cameFrom = useRef<Element | null>(null)
  const term = text.trim()
  const view = useSearch(text, isOpen)
  const options = view.groups.flatMap(group => group.options)
  const kept = options.find(option => option.key === chosen)
  // What was typed chooses the first; what is only offered chooses nothing.
  const active = kept ?? (term === '' ? null : (options[0] ?? null))
  const navigate = useNavigate()
  const run = useActionRun()

  const settle = (): void => {
    setOpen(false)
    setText('')
    setChosen(null)
    setWaiting(null)
  }
  const follow = (option: SearchOption, isNewTab: boolean): void => {
    if (option.to !== null && isNewTab) {
      window.open(option.to, '_blank', 'noopener')
      return
    }
    settle()
    inputRef.current?.blur()
    // Its dialog stands beside the box: the drawer that holds both stays.
    if (option.shown.kind === 'act') {
      setAct(option.shown)
      return
    }
    onFollow()
    if (option.to !== null) void navigate(option.to)
    else if (option.shown.kind === 'action' && 'run' in option.shown.action) void run(option.shown.action.run)
  }
  const move = (to: number): void => setChosen(options[to]?.key ?? null)
  const enterPressed = (isNewTab: boolean): void => {
    // Objects of what was typed before are not what is meant.
    const isOld = view.isLate && (active === null || !IN_CONSOLE.has(active.shown.kind))
    if (isOld) setWaiting(isNewTab ? 'new-tab' : 'here')
    else if (active !== null) follow(active, isNewTab)
  }
  const followWaiting = useEffectEvent(() => {
    if (active !== null) follow(active, waiting === 'new-tab')
    setWaiting(null)
  })
  useEffect(() => {
    if (waiting !== null && !view.isLate) followWaiting()
  }, [waiting, view.isLate])

  const dismiss = (): void => {
    settle()
    if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected) cameFrom.current.focus()
    else inputRef.current?.blur()
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(active === null ? 0 : (options.indexOf(active) + 1) % options.length),
    ArrowUp: () => move((active === null ? options.length : options.indexOf(active) || options.length) - 1),
    Home: () => move(0),
    End: () => move(options.length - 1),
  }
  return {
    ...{ text, term, view, options, active, follow, act },
    endAct: () => setAct(null),
    isShown: isOpen && (term !== '' || options.length > 0),
    type(typed: string): void {
      setText(typed)
      setOpen(true)
      setChosen(null)
      setWaiting(null)
    },
    open: () => setOpen(true),
    enter(event: FocusEvent): void {
      cameFrom.current = event.relatedTarget
      setOpen(true)
    },
    leave: () => setOpen(false),
    point: (option: SearchOption) => setChosen(option.key),
    press(event: KeyboardEvent): void {
      if (event.nativeEvent.isComposing) return
      const move = options.length > 0 && !event.shiftKey && !event.altKey ? keys[event.key] : undefined
      if (event.key === 'Escape' && isOpen) event.stopPropagation()
      else if (event.key !== 'Enter' && move === undefined) return
      event.preventDefault()
      if (event.key === 'Escape') dismiss()
      else if (event.key === 'Enter') enterPressed(event.ctrlKey || event.metaKey)
      else if (isOpen) move?.()
      else setOpen(true)
    },
  }
}

const useActionRun = () => {
  const shown = useComputedColorScheme('light')
  const setTheme = async (theme: OwnAccount['theme']): Promise<void> => {
    try {
      await call(accountRoutes.ownUpdate, { body: { theme } })
      await session.loadAccount()
    } catch (error) {
      notifications.show({ color: 'red', title: words.themeFailed, message: errorText(error) })
    }
  }
  const runs: Readonly<Record<ActionRun, () => void | Promise<void>>> = {
    theme: () => setTheme(shown === 'dark' ? 'light' : 'dark'),
    themeAuto: () => setTheme('auto'),
    signOut,
  }
  return (run: ActionRun) => runs[run]()
}

interface NoticeProps {
  readonly term: string
  readonly count: number
  readonly isLate: boolean
  readonly hasFailed: boolean
}

const Notice = ({ term, count, isLate, hasFailed }: NoticeProps) => {
  if (hasFailed) return <p className={classes.notice}>{words.failed}</p>
  if (count > 0) return null
  if (isLate) return <p className={classes.notice}>{words.waiting}</p>
  return (
    <p className={classes.notice}>
      {words.nothing(term)}
      <br />
      {verbOf(term)?.verb === 'acknowledge' ? words.nothingToAcknowledge : words.nothingHelp}
    </p>
  )
}
