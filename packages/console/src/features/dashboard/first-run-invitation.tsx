import { Button } from '@mantine/core'
import { useState } from 'react'
import { FIRST_HOST, FirstHostButton } from '../../ui/first-host-button.tsx'
import classes from './first-run-invitation.module.css'
import { fr } from './fr.ts'

const LATER = 'first-run-later'

/** The way to the first host, while only what the installation made is supervised; put off, it comes back with the next session. */
export const FirstRunInvitation = () => {
  const [putOff, setPutOff] = useState(() => sessionStorage.getItem(LATER) !== null)
  if (putOff) return null
  return (
    <section className={classes.invitation} aria-label={FIRST_HOST}>
      <div className={classes.words}>
        <p className={classes.title}>{fr.firstRun.title}</p>
        <p className={classes.text}>{fr.firstRun.text}</p>
      </div>
      <FirstHostButton />
      <Button
        variant="subtle"
        onClick={() => {
          sessionStorage.setItem(LATER, 'true')
          setPutOff(true)
        }}
      >
        {fr.firstRun.later}
      </Button>
    </section>
  )
}
