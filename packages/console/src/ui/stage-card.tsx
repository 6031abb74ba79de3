import { CloseButton } from '@mantine/core'
import type { Severity } from '@narval/engine'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { SeverityIcon } from './severity.tsx'
import classes from './stage-card.module.css'

const words = { close: 'Fermer la fiche' } as const

interface StageCardProps {
  readonly name: string
  /** Of the page of what it tells; null: it has none. */
  readonly to: string | null
  /** Where one goes from here. */
  readonly links: readonly { readonly to: string; readonly label: string }[]
  readonly onClose: () => void
  readonly children: ReactNode
}

/** What is open on a stage, in a few lines over it: its facts, lists of what matters, ways on. */
export const StageCard = ({ name, to, links, onClose, children }: StageCardProps) => (
  <section className={classes.card} aria-label={name}>
    <header className={classes.head}>
      <h2>{to === null ? name : <Link to={to}>{name}</Link>}</h2>
      <CloseButton aria-label={words.close} onClick={onClose} />
    </header>
    {children}
    {links.length > 0 && (
      <p className={classes.links}>
        {links.map(link => (
          <Link key={link.label} to={link.to}>
            {link.label}
          </Link>
        ))}
      </p>
    )}
  </section>
)

/** Facts side by side, on as many lines as they need. */
export const CardFacts = ({ children }: { readonly children: ReactNode }) => <p className={classes.facts}>{children}</p>

interface CardListProps {
  readonly title: string
  /** How many there are, beside the title. */
  readonly count?: number
  readonly items: readonly {
    readonly key: string | number
    readonly severity: Severity | null
    readonly content: ReactNode
  }[]
  /** Said where there is none; without it the list is left out then. */
  readonly none?: string
  /** Said of those that are not listed. */
  readonly more?: string | null
}

/** A titled list of what has a severity. */
export const CardList = ({ title, count, items, none, more = null }: CardListProps) =>
  items.length === 0 && none === undefined ? null : (
    <>
      <h3 className={classes.title}>
        {title} {count !== undefined && <span className={classes.count}>{count}</span>}
      </h3>
      {items.length === 0 && <p className={classes.note}>{none}</p>}
      <ul className={classes.list}>
        {items.map(({ key, severity, content }) => (
          <li key={key}>
            {severity !== null && <SeverityIcon severity={severity} size={14} />}
            <span>{content}</span>
          </li>
        ))}
      </ul>
      {more !== null && <p className={classes.note}>{more}</p>}
    </>
  )
