import type { ReactNode } from 'react'
import classes from './notice.module.css'

interface NoticeProps {
  readonly tone: 'error' | 'warning' | 'neutral'
  readonly icon: ReactNode
  readonly title?: string
  readonly children?: ReactNode
}

/** A message in the page, in the colour of what it says; errors are announced at once. */
export const Notice = ({ tone, icon, title, children }: NoticeProps) => (
  <div className={classes.notice} data-tone={tone} role={tone === 'neutral' ? 'note' : 'alert'}>
    <span className={classes.icon} aria-hidden="true">
      {icon}
    </span>
    <div className={classes.content}>
      {title !== undefined && <p className={classes.title}>{title}</p>}
      {children}
    </div>
  </div>
)
