import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { FIELD_ORDER } from '../../ui/form-fields.tsx'
import { fr } from './fr.ts'

type Verdict = 'accepted' | 'refused' | 'invalid' | 'slow'
const SLOW_MS = 400
const DEBOUNCE_MS = 200

const isPattern = (pattern: string): boolean => {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** Says what a pattern makes of a text; the answer is not awaited longer than `SLOW_MS`. Call what it returns to give up. */
const tryPattern = (pattern: string, text: string, told: (verdict: Verdict) => void): (() => void) => {
  const worker = new Worker(new URL('./regex-worker.ts', import.meta.url), { type: 'module' })
  const end = (verdict: Verdict | null): void => {
    clearTimeout(timer)
    worker.terminate()
    if (verdict !== null) told(verdict)
  }
  const timer = setTimeout(() => end('slow'), SLOW_MS)
  worker.addEventListener('message', (event: MessageEvent<boolean>) => end(event.data ? 'accepted' : 'refused'))
  worker.addEventListener('error', () => end('invalid'))
  worker.postMessage({ pattern, text })
  return () => end(null)
}

const WORDS: Readonly<Record<Verdict, string>> = {
  accepted: fr.form.regexAccepted,
  refused: fr.form.regexRefused,
  invalid: fr.form.regexInvalid,
  slow: fr.form.regexSlow,
}

/** A text to try a pattern on, before anybody has to live with it. */
export const RegexTry = ({ pattern }: { readonly pattern: string }) => {
  const [text, setText] = useState('')
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS)
  const [settledPattern] = useDebouncedValue(pattern, DEBOUNCE_MS)
  useEffect(() => {
    setVerdict(null)
    if (settledPattern === '') return
    if (!isPattern(settledPattern)) return setVerdict('invalid')
    if (settled === '') return
    return tryPattern(settledPattern, settled, setVerdict)
  }, [settled, settledPattern])
  const bad = verdict !== null && verdict !== 'accepted'
  return (
    <TextInput
      label={fr.form.regexTry}
      description={verdict === 'accepted' ? WORDS.accepted : fr.form.regexTryHelp}
      inputWrapperOrder={FIELD_ORDER}
      value={text}
      onChange={event => setText(event.currentTarget.value)}
      maxLength={200}
      autoComplete="off"
      disabled={pattern === ''}
      error={bad ? WORDS[verdict] : undefined}
    />
  )
}
