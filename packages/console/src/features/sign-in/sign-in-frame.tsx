import type { ReactNode } from 'react'
import { usePublicConfiguration } from '../../lib/public-configuration.ts'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { Logo } from '../../ui/logo.tsx'
import { fr } from './fr.ts'
import classes from './sign-in.module.css'

interface SignInFrameProps {
  readonly title: string
  readonly intro: string
  readonly children: ReactNode
}

/** The bare content area of /login and /password-reset (spec §2): a card on a quiet sea. */
export const SignInFrame = ({ title, intro, children }: SignInFrameProps) => {
  const { name } = usePublicConfiguration()
  useDocumentTitle(title)
  return (
    <main className={classes.page}>
      <Waves />
      <div className={classes.card}>
        <div className={classes.brand}>
          <Logo size={48} />
          <span className={classes.name}>{name}</span>
        </div>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.intro}>{intro}</p>
        {children}
      </div>
      <p className={classes.tagline}>{fr.tagline}</p>
    </main>
  )
}

const Waves = () => (
  <svg className={classes.waves} viewBox="0 0 1440 320" preserveAspectRatio="none" aria-hidden="true">
    <path d="M0 150c180-60 330-60 520-8s360 66 540 10 280-44 380-14v182H0z" opacity=".35" />
    <path d="M0 206c160-46 340-40 520 0s330 44 520 4 300-30 400-8v118H0z" opacity=".55" />
    <path d="M0 258c200-34 360-24 540 2s320 24 500-4 300-18 400-2v66H0z" />
  </svg>
)
