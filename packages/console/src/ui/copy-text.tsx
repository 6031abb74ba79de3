import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import classes from './copy-text.module.css'

interface CopyTextProps {
  readonly text: string
  readonly label: string
  /** Lines, kept as they are in a fixed width, in a box that scrolls. */
  readonly lines?: boolean
  readonly words: { readonly copy: string; readonly copied: string; readonly selected: string }
}

const SHOWN_MS = 3_000

/** Selects the text, so that it can be copied by hand where the clipboard is closed (plain HTTP). */
const select = (element: HTMLElement | null): void => {
  const selection = window.getSelection()
  if (element === null || selection === null) return
  const range = document.createRange()
  range.selectNodeContents(element)
  selection.removeAllRanges()
  selection.addRange(range)
}

/** A text to copy elsewhere: through the clipboard where the browser gives it, else selected. */
export const CopyText = ({ text, label, lines = false, words }: CopyTextProps) => {
  const code = useRef<HTMLElement>(null)
  const [done, setDone] = useState<'copied' | 'selected' | null>(null)
  const copy = async (): Promise<void> => {
    const clipboard: Clipboard | undefined = navigator.clipboard
    let result: 'copied' | 'selected' = 'selected'
    try {
      if (clipboard !== undefined) {
        await clipboard.writeText(text)
        result = 'copied'
      }
    } catch {
      result = 'selected'
    }
    if (result === 'selected') select(code.current)
    setDone(result)
    setTimeout(() => setDone(null), SHOWN_MS)
  }
  return (
    <div className={classes.box}>
      <code
        ref={code}
        className={classes.code}
        {...(lines && { 'data-lines': true, role: 'region', tabIndex: 0, 'aria-label': label })}
      >
        {text}
      </code>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={done === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
        aria-label={`${words.copy} (${label})`}
        onClick={() => void copy()}
      >
        {done === null ? words.copy : words[done]}
      </Button>
    </div>
  )
}
