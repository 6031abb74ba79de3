import { Button } from '@mantine/core'
import { IMPORT_MAX_BYTES } from '@narval/contracts'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { fr } from './fr.ts'
import classes from './import.module.css'

interface DropZoneProps {
  readonly busy: boolean
  readonly onFile: (file: File) => void
}

/** Where a file is dropped, or chosen by a button for who has no mouse. */
export const DropZone = ({ busy, onFile }: DropZoneProps) => {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (files: FileList | null): void => {
    const file = files?.[0]
    if (file !== undefined && !busy) onFile(file)
  }
  return (
    <section
      className={classes.drop}
      data-over={over || undefined}
      aria-label={fr.fileTitle}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
    >
      <IconFileSpreadsheet size={32} stroke={1.5} aria-hidden="true" />
      <p className={classes.dropTitle}>{fr.drop}</p>
      <p className={classes.hint}>{fr.or}</p>
      <Button loading={busy} onClick={() => input.current?.click()}>
        {fr.choose}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,text/csv,text/plain"
        onChange={event => {
          take(event.currentTarget.files)
          // The same file, corrected, can be chosen again.
          event.currentTarget.value = ''
        }}
      />
      <p className={classes.hint}>{fr.limits(IMPORT_MAX_BYTES / 1_048_576)}</p>
    </section>
  )
}
