import { TextInput, UnstyledButton } from '@mantine/core'
import { CHECK_KINDS, CHECKS, type CheckKind } from '@narval/contracts'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { scanner as words } from '../i18n/scanner.ts'
import { formatCount } from '../lib/format.ts'
import { findKinds } from '../lib/kind-search.ts'
import classes from './kind-gallery.module.css'
import { KindIcon } from './kind-icon.tsx'

/** What a kind is, as its card shows it. */
export const KindText = ({ kind, aside }: { readonly kind: CheckKind; readonly aside?: ReactNode }) => (
  <>
    <span className={classes.icon}>
      <KindIcon kind={kind} />
    </span>
    <span className={classes.text}>
      <span className={classes.head}>
        <strong>{CHECKS[kind].label}</strong>
        {aside}
      </span>
      <span className={classes.description}>{CHECKS[kind].description}</span>
    </span>
  </>
)

interface KindGalleryProps {
  readonly label: string
  /** The kind chosen so far. */
  readonly value: CheckKind | null
  readonly onChoose: (kind: CheckKind) => void
  /** The box is where one begins: in a dialog. */
  readonly autoFocus?: boolean
}

/** By how many cards an arrow goes. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Every kind of check by family, found by words; arrows go from card to card, Enter and space choose. */
export const KindGallery = ({ label, value, onChoose, autoFocus = false }: KindGalleryProps) => {
  const [text, setText] = useState('')
  const [reached, setReached] = useState<CheckKind | null>(value)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const families = findKinds(text)
  const kinds = families.flatMap(family => family.kinds)
  const entry = reached !== null && kinds.includes(reached) ? reached : kinds[0]
  const reach = (kind: CheckKind | undefined): void => {
    if (kind === undefined) return
    setReached(kind)
    box.current?.querySelector<HTMLElement>(`[data-kind="${kind}"]`)?.focus()
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    const place = entry === undefined ? -1 : kinds.indexOf(entry)
    if (event.key === 'Home') reach(kinds[0])
    else if (event.key === 'End') reach(kinds.at(-1))
    else if (step !== undefined) reach(kinds.at((place + step) % kinds.length))
    else return
    event.preventDefault()
  }
  const search = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') reach(entry)
    else if (event.key !== 'Enter') return
    // In a form, Enter would send it.
    event.preventDefault()
    const [only] = kinds
    if (event.key === 'Enter' && kinds.length === 1 && only !== undefined) onChoose(only)
  }
  return (
    <div className={classes.gallery}>
      <div className={classes.search}>
        <TextInput
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          onKeyDown={search}
          placeholder={words.kindSearch}
          aria-label={words.kindSearch}
          leftSection={<IconSearch size={16} />}
          autoComplete="off"
          data-autofocus={autoFocus || undefined}
        />
        <span className={classes.count} role="status">
          {formatCount(kinds.length, words.kind, words.kinds)}
          {kinds.length < CHECK_KINDS.length && ` ${words.among(CHECK_KINDS.length)}`}
        </span>
      </div>
      <div role="radiogroup" aria-label={label} ref={box} onKeyDown={onKey} className={classes.families}>
        {families.map(({ family, kinds: own }) => (
          <section key={family} aria-labelledby={`${id}-${family}`}>
            <h3 className={classes.family} id={`${id}-${family}`}>
              {family}
            </h3>
            <div className={classes.cards}>
              {own.map(kind => (
                <UnstyledButton
                  key={kind}
                  type="button"
                  role="radio"
                  aria-checked={kind === value}
                  className={classes.card}
                  data-kind={kind}
                  data-chosen={kind === value || undefined}
                  tabIndex={kind === entry ? 0 : -1}
                  onFocus={() => setReached(kind)}
                  onClick={() => onChoose(kind)}
                >
                  <KindText kind={kind} />
                </UnstyledButton>
              ))}
            </div>
          </section>
        ))}
      </div>
      {kinds.length === 0 && <p className={classes.none}>{words.noKind}</p>}
    </div>
  )
}
