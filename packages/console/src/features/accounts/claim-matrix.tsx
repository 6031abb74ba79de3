import { Checkbox } from '@mantine/core'
import { CLAIM_TEXTS, type Claim, grants } from '@narval/contracts'
import { IconCheck } from '@tabler/icons-react'
import { useSession } from '../../lib/session.ts'
import classes from './accounts.module.css'
import {
  type ClaimSource,
  claimSources,
  type GivingGroup,
  placeNames,
  type Reach,
  shortNames,
} from './claim-sources.ts'
import { fr } from './fr.ts'

const { matrix: words } = fr

interface ClaimMatrixProps {
  readonly own: readonly string[]
  readonly groups: readonly GivingGroup[]
  readonly onChange: (own: Claim[]) => void
  readonly readOnly: boolean
}

/** Every right of an account: given to itself, by which of its groups, and what that makes. */
export const ClaimMatrix = ({ own, groups, onChange, readOnly }: ClaimMatrixProps) => {
  const sources = claimSources(own, groups)
  const toggle = (claim: Claim, on: boolean): void =>
    onChange(sources.filter(source => (source.claim === claim ? on : source.own)).map(source => source.claim))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, and keys must reach what is hidden.
    <section className={classes.scroller} aria-label={words.label} tabIndex={0}>
      <table className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col">{words.claim}</th>
            <th scope="col">{words.effective}</th>
            <th scope="col">{words.own}</th>
            {groups.map(group => (
              <th scope="col" key={group.id}>
                {group.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sources.map(source => (
            <ClaimRow key={source.claim} source={source} groups={groups} onToggle={toggle} readOnly={readOnly} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

const REACH: Readonly<Record<Reach, string>> = {
  everywhere: words.everywhere,
  sites: words.onSites,
  without: words.without,
  none: words.none,
}

interface ClaimRowProps extends Pick<ClaimMatrixProps, 'groups' | 'readOnly'> {
  readonly source: ClaimSource
  readonly onToggle: (claim: Claim, on: boolean) => void
}

const ClaimRow = ({ source, groups, onToggle, readOnly }: ClaimRowProps) => {
  const { everywhere } = useSession()
  const { claim, own, reach, byAdmin, places } = source
  const { label, description } = CLAIM_TEXTS[claim]
  const lacked = !grants(everywhere, claim)
  return (
    <tr data-held={reach === 'none' ? undefined : true}>
      <th scope="row">
        {label}
        <span className={classes.claimHelp}>
          {description} {lacked && !readOnly && words.lacks}
        </span>
      </th>
      <td>
        <span className={classes.reach} data-reach={reach}>
          {REACH[reach]}
        </span>
        {reach === 'sites' && (
          <span className={classes.claimHelp} title={places.join(', ')}>
            {shortNames(places)}
          </span>
        )}
        {byAdmin && <span className={classes.claimHelp}>{words.byAdmin}</span>}
      </td>
      <td>
        <Checkbox
          aria-label={words.ownOf(label)}
          checked={own}
          disabled={readOnly || lacked}
          {...(lacked && { title: words.lacks })}
          onChange={event => onToggle(claim, event.currentTarget.checked)}
        />
      </td>
      {groups.map((group, at) => (
        <td key={group.id}>
          {source.groups[at] !== null && source.groups[at] !== undefined && (
            <>
              <IconCheck size={15} aria-hidden="true" />{' '}
              <span className={classes.given}>
                {source.groups[at] === 'sites' ? words.givesOn(shortNames(placeNames(group))) : words.gives}
              </span>
            </>
          )}
        </td>
      ))}
    </tr>
  )
}
