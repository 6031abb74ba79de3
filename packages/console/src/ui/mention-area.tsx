import { Combobox, Textarea, type TextareaProps, useCombobox } from '@mantine/core'
import { type CommentKind, commentRoutes, type Mention } from '@narval/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { comment as words } from '../i18n/comment.ts'
import { call } from '../lib/api.ts'
import { type Typing, typingAt, withMention } from '../lib/mention-typing.ts'
import classes from './mention-area.module.css'

interface MentionAreaProps extends Omit<TextareaProps, 'value' | 'onChange' | 'about'> {
  /** What is written about: only who sees it is offered. */
  readonly about: { readonly kind: CommentKind; readonly id: number }
  readonly text: string
  readonly onText: (text: string) => void
}

/** A text in which « @ » offers people by name as one types; arrows choose, Enter takes, Escape leaves. */
export const MentionArea = ({ about, text, onText, onKeyDown, ...rest }: MentionAreaProps) => {
  const area = useRef<HTMLTextAreaElement>(null)
  const [typing, setTyping] = useState<Typing | null>(null)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const { data: found = [] } = useMentionable(about, typing)
  const follow = (element: HTMLTextAreaElement): void => {
    const now = typingAt(element.value, element.selectionStart)
    setTyping(now)
    if (now === null) combobox.closeDropdown()
    else combobox.openDropdown()
  }
  const leave = (): void => {
    setTyping(null)
    combobox.closeDropdown()
  }
  const take = (login: string): void => {
    if (typing === null) return
    const next = withMention(text, typing, login)
    onText(next.text)
    leave()
    // Once the text is there.
    requestAnimationFrame(() => area.current?.setSelectionRange(next.cursor, next.cursor))
  }
  const opened = typing !== null && combobox.dropdownOpened
  const first = found[0]?.login
  // Enter takes the first of those that are now offered.
  useEffect(() => {
    if (opened && first !== undefined) combobox.selectFirstOption()
  }, [opened, first, combobox.selectFirstOption])
  return (
    <Combobox store={combobox} onOptionSubmit={take} position="bottom-start" shadow="md">
      <Combobox.DropdownTarget>
        <div>
          <Combobox.EventsTarget withAriaAttributes={false}>
            <Textarea
              {...rest}
              ref={area}
              value={text}
              onChange={event => {
                onText(event.currentTarget.value)
                follow(event.currentTarget)
              }}
              onClick={event => follow(event.currentTarget)}
              onBlur={leave}
              // A dialog around it hears Escape before it.
              {...(opened && { 'data-mantine-stop-propagation': true })}
              onKeyDown={event => {
                if (opened && event.key === 'Escape') {
                  event.stopPropagation()
                  leave()
                } else if (!(opened && found.length > 0 && event.key === 'Enter' && !event.ctrlKey)) onKeyDown?.(event)
              }}
            />
          </Combobox.EventsTarget>
        </div>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={!opened} className={classes.dropdown}>
        <Combobox.Options aria-label={words.mentionable}>
          {found.map(one => (
            <Combobox.Option key={one.login} value={one.login} className={classes.option}>
              <Offered mention={one} />
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>{words.nobody}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

const Offered = ({ mention: { login, name } }: { readonly mention: Mention }) => (
  <>
    <span className={classes.name}>{name}</span>
    <span className={classes.login}>@{login}</span>
  </>
)

/** Asked for while a name is typed; the names before stay until the next are there. */
const useMentionable = ({ kind, id }: MentionAreaProps['about'], typing: Typing | null) =>
  useQuery({
    queryKey: ['mentionable', kind, id, typing?.term],
    queryFn: ({ signal }) =>
      call(commentRoutes.mentionable, { query: { kind, id: String(id), term: typing?.term ?? '' }, signal }),
    enabled: typing !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
