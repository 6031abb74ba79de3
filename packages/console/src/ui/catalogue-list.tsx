import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { catalogue as words } from '../i18n/catalogue.ts'
import classes from './catalogue.module.css'
import { EmptyState } from './page.tsx'

interface Entry {
  readonly id: number
  readonly name: string
}
interface CatalogueListProps<T extends Entry> {
  readonly entries: readonly T[]
  readonly icon?: (entry: T) => ReactNode
  /** What sets it apart from others of its name; also said with its buttons. */
  readonly note?: (entry: T) => string
  readonly empty: string
  readonly onEdit: (entry: T) => void
  readonly onDelete: (entry: T) => void
}

/** A short list of things that objects choose from, each with its buttons. */
export const CatalogueList = <T extends Entry>({
  entries,
  icon,
  note,
  empty,
  onEdit,
  onDelete,
}: CatalogueListProps<T>) =>
  entries.length === 0 ? (
    <EmptyState title={empty} />
  ) : (
    <ul className={classes.list}>
      {entries.map(entry => {
        const aside = note?.(entry) ?? ''
        const said = aside === '' ? entry.name : `${entry.name} (${aside})`
        return (
          <li key={entry.id} className={classes.entry}>
            {icon?.(entry)}
            <span className={classes.name}>
              {entry.name}
              {aside !== '' && <small className={classes.note}>{aside}</small>}
            </span>
            <ActionIcon variant="subtle" aria-label={words.edit(said)} onClick={() => onEdit(entry)}>
              <IconPencil size={16} />
            </ActionIcon>
            <ActionIcon variant="subtle" color="red" aria-label={words.remove(said)} onClick={() => onDelete(entry)}>
              <IconTrash size={16} />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
