import { Button, Modal, Slider, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { accountRoutes, PICTURE_SIDE } from '@narval/contracts'
import { useMutation } from '@tanstack/react-query'
import {
  type ChangeEvent,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { call } from '../../lib/api.ts'
import { type Crop, cropSquare, LONGEST_ZOOM, moved, WHOLE } from '../../lib/picture-crop.ts'
import { session } from '../../lib/session.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import classes from './picture-dialog.module.css'

const { picture: words } = fr
const TYPES = 'image/png,image/jpeg,image/webp'
const LARGEST_BYTES = 20 * 1_048_576
/** Part of what is shown that an arrow key moves the picture by. */
const STEP = 0.05

/** Chooses a picture of one's own, crops it here and sends no more than what is kept. */
export const PictureButton = ({ onSaved }: { readonly onSaved: () => void }) => {
  const input = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<ImageBitmap | null>(null)
  const refuse = (message: string): void => void notifications.show({ color: 'red', message })
  const choose = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.currentTarget.files?.[0]
    event.currentTarget.value = ''
    if (file === undefined) return
    if (file.size > LARGEST_BYTES) return refuse(words.tooLarge)
    try {
      setPicture(await createImageBitmap(file))
    } catch {
      refuse(words.unreadable)
    }
  }
  const close = (): void => {
    picture?.close()
    setPicture(null)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={TYPES}
        hidden
        onChange={event => void choose(event)}
        aria-label={words.choose}
      />
      <Button variant="default" className={classes.choose} onClick={() => input.current?.click()}>
        {words.choose}
      </Button>
      {picture !== null && (
        <PictureDialog
          picture={picture}
          onClose={close}
          onSaved={() => {
            close()
            onSaved()
          }}
        />
      )}
    </>
  )
}

interface PictureDialogProps {
  readonly picture: ImageBitmap
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** The canvas is the very picture that is sent. */
const PictureDialog = ({ picture, onClose, onSaved }: PictureDialogProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [crop, setCrop] = useState<Crop>(WHOLE)
  const saving = useMutation({
    mutationFn: async () => {
      await call(accountRoutes.pictureSet, { body: await pngOf(canvas.current) })
      await session.loadAccount()
    },
    onSuccess: () => {
      notifications.show({ color: 'green', message: words.saved })
      onSaved()
    },
  })
  const move = (dx: number, dy: number): void => setCrop(before => moved(before, dx, dy, picture.width, picture.height))
  return (
    <Modal opened onClose={onClose} title={<strong>{words.title}</strong>} centered closeOnClickOutside={false}>
      <div className={classes.dialog}>
        <Text size="sm">{words.help}</Text>
        <Stage canvas={canvas} picture={picture} crop={crop} onMove={move} />
        <Slider
          label={null}
          thumbLabel={words.zoom}
          min={1}
          max={LONGEST_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={zoom => setCrop(before => moved({ ...before, zoom }, 0, 0, picture.width, picture.height))}
        />
        {saving.error !== null && (
          <p className={classes.refused} role="alert">
            {errorText(saving.error)}
          </p>
        )}
        <DialogActions
          onCancel={onClose}
          submit={words.submit}
          onSubmit={() => saving.mutate()}
          busy={saving.isPending}
        />
      </div>
    </Modal>
  )
}

interface StageProps {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly picture: ImageBitmap
  readonly crop: Crop
  readonly onMove: (dx: number, dy: number) => void
}

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

/** What is seen, moved by pointer or arrow keys. */
const Stage = ({ canvas, picture, crop, onMove }: StageProps) => {
  // Here and not in the dialog: its content is there only once it has opened.
  useEffect(() => draw(canvas.current, picture, crop), [canvas, picture, crop])
  const drag = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const side = event.currentTarget.clientWidth
    onMove(event.movementX / side, event.movementY / side)
  }
  const press = (event: KeyboardEvent): void => {
    const by = KEYS[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(...by)
  }
  return (
    <canvas
      ref={canvas}
      className={classes.canvas}
      width={PICTURE_SIDE}
      height={PICTURE_SIDE}
      tabIndex={0}
      aria-label={words.canvas}
      onKeyDown={press}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  )
}

const draw = (canvas: HTMLCanvasElement | null, picture: ImageBitmap, crop: Crop): void => {
  const context = canvas?.getContext('2d')
  if (context === null || context === undefined) return
  const { left, top, side } = cropSquare(crop, picture.width, picture.height)
  context.imageSmoothingQuality = 'high'
  context.clearRect(0, 0, PICTURE_SIDE, PICTURE_SIDE)
  context.drawImage(picture, left, top, side, side, 0, 0, PICTURE_SIDE, PICTURE_SIDE)
}

const pngOf = async (canvas: HTMLCanvasElement | null): Promise<Uint8Array> => {
  const blob = await new Promise<Blob | null>(resolve => canvas?.toBlob(resolve, 'image/png'))
  if (blob === null) throw new Error('the canvas gave no picture')
  return new Uint8Array(await blob.arrayBuffer())
}
