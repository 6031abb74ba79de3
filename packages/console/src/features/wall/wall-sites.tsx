import type { Wall } from '@narval/contracts'
import { rowsOfPage } from '../../lib/wall-choice.ts'
import { Counts } from '../../ui/counts.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import type { Room } from './use-room.ts'
import classes from './wall.module.css'

/** A card's size in the wall's text size. */
const CARD_EM = { width: 17, height: 5.6, gap: 0.6 }

const columnsOf = ({ width, em }: Room): number =>
  Math.max(1, Math.floor((width / em + CARD_EM.gap) / (CARD_EM.width + CARD_EM.gap)))

/** Cards that fit. */
export const sitesPerPage = (room: Room): number =>
  columnsOf(room) * Math.max(1, Math.floor((room.height / room.em + CARD_EM.gap) / (CARD_EM.height + CARD_EM.gap)))

interface SitesViewProps {
  readonly wall: Wall
  readonly page: number
  readonly perPage: number
  readonly room: Room
}

/** Sites with their equipment by severity, the worst first. */
export const SitesView = ({ wall, page, perPage, room }: SitesViewProps) => (
  <ul className={classes.sites} style={{ gridTemplateColumns: `repeat(${columnsOf(room)}, minmax(0, 1fr))` }}>
    {rowsOfPage(wall.sites.rows, page, perPage).map(site => (
      <li key={site.id} className={classes.site} data-severity={site.severity}>
        <span className={classes.siteName}>
          <SeverityIcon severity={site.severity} />
          <strong>{site.name}</strong>
        </span>
        <Counts counts={site.counts} bar />
      </li>
    ))}
  </ul>
)
