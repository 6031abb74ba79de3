import { Button, Modal } from '@mantine/core'
import { CHECKS, type CheckKind } from '@narval/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { scanner as words } from '../i18n/scanner.ts'
import classes from './kind-gallery.module.css'
import { KindGallery, KindText } from './kind-gallery.tsx'

interface KindCardsProps {
  readonly value: CheckKind
  /** Null: the kind is settled, only its own card is shown. */
  readonly onChange: ((kind: CheckKind) => void) | null
  readonly label: string
}

/** The kind of a scanner: the gallery until one is chosen, then its card alone, so that the form stays short. */
export const KindCards = ({ value, onChange, label }: KindCardsProps) => {
  const [open, setOpen] = useState(onChange !== null)
  const again = useRef<HTMLButtonElement>(null)
  const settled = useRef(false)
  // The card that was chosen is gone: the keyboard goes on from what took its place.
  useEffect(() => {
    if (!open && settled.current) again.current?.focus()
    settled.current = false
  }, [open])
  if (open && onChange !== null)
    return (
      <KindGallery
        label={label}
        value={value}
        onChoose={kind => {
          settled.current = true
          onChange(kind)
          setOpen(false)
        }}
      />
    )
  return (
    <div className={classes.chosen}>
      <div className={classes.card} data-chosen>
        <KindText kind={value} aside={<span className={classes.ofFamily}>{CHECKS[value].family}</span>} />
      </div>
      {onChange !== null && (
        <Button variant="default" ref={again} onClick={() => setOpen(true)}>
          {words.changeKind}
        </Button>
      )}
    </div>
  )
}

interface KindAdderProps {
  /** Words of the button, and of the dialog that it opens. */
  readonly label: string
  readonly onAdd: (kind: CheckKind) => void
}

/** A button that asks for a kind, and adds one of it. */
export const KindAdder = ({ label, onAdd }: KindAdderProps) => {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button variant="default" mt="md" leftSection={<IconPlus size={16} />} onClick={() => setOpened(true)}>
        {label}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={<strong>{label}</strong>} size={900}>
        <KindGallery
          label={label}
          value={null}
          autoFocus
          onChoose={kind => {
            setOpened(false)
            onAdd(kind)
          }}
        />
      </Modal>
    </>
  )
}
