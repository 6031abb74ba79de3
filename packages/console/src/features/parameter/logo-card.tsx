import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { LOGO_SIDE, parameterRoutes } from '@narval/contracts'
import { IconPhoto } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { reloadPublicConfiguration, usePublicConfiguration } from '../../lib/public-configuration.ts'
import { FormSection } from '../../ui/form-shell.tsx'
import { Logo } from '../../ui/logo.tsx'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import classes from './parameter.module.css'

const { logo: words } = fr
const TYPES = 'image/png,image/jpeg,image/webp'
/** A picture from a camera is some 10 MB. */
const LARGEST_BYTES = 20 * 1_048_576

/** The whole picture within a square, nothing around it; sent as a PNG, which the server encodes anew. */
const squareOf = async (file: File): Promise<Uint8Array> => {
  const picture = await createImageBitmap(file)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = LOGO_SIDE
  const scale = LOGO_SIDE / Math.max(picture.width, picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  canvas.getContext('2d')?.drawImage(picture, (LOGO_SIDE - width) / 2, (LOGO_SIDE - height) / 2, width, height)
  picture.close()
  const { promise, resolve, reject } = Promise.withResolvers<Blob>()
  canvas.toBlob(blob => (blob === null ? reject(new Error(words.unreadable)) : resolve(blob)), 'image/png')
  return new Uint8Array(await (await promise).arrayBuffer())
}

/** The picture beside the product's name, on every page and before signing in; saved as soon as it is chosen. */
export const LogoCard = () => {
  const { logo } = usePublicConfiguration()
  const input = useRef<HTMLInputElement>(null)
  const refuse = (message: string): void => void notifications.show({ color: 'red', message })
  const saving = useMutation({
    mutationFn: async (file: File | null) => {
      if (file === null) return call(parameterRoutes.deleteLogo)
      const body = await squareOf(file).catch(() => null)
      return body === null ? null : call(parameterRoutes.setLogo, { body })
    },
    onSuccess: async saved => {
      if (saved === null) return refuse(words.unreadable)
      await reloadPublicConfiguration()
      notifications.show({ color: 'green', message: saved.logo === '' ? words.removed : words.saved })
    },
    onError: error => refuse(errorText(error)),
  })
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const file = event.currentTarget.files?.[0]
    event.currentTarget.value = ''
    if (file === undefined) return
    if (file.size > LARGEST_BYTES) refuse(words.tooLarge)
    else saving.mutate(file)
  }
  return (
    <FormSection title={words.title} help={words.help}>
      <div className={classes.logo}>
        <span className={classes.logoGround}>
          <Logo size={48} />
        </span>
        <input ref={input} type="file" accept={TYPES} hidden onChange={choose} aria-label={words.choose} />
        <Button
          variant="default"
          leftSection={<IconPhoto size={16} stroke={1.8} />}
          loading={saving.isPending}
          onClick={() => input.current?.click()}
        >
          {words.choose}
        </Button>
        {logo !== '' && (
          <Button variant="subtle" disabled={saving.isPending} onClick={() => saving.mutate(null)}>
            {words.remove}
          </Button>
        )}
      </div>
    </FormSection>
  )
}
