import { Badge, Checkbox } from '@mantine/core'
import type { Account, UserGroup } from '@narval/contracts'
import { useSession } from '../../lib/session.ts'
import classes from './accounts.module.css'
import { type GivingGroup, lackedLabels, placeNames, shortNames } from './claim-sources.ts'
import { fr } from './fr.ts'

/** Groups as an account, or the list of groups, tells them. */
export const givingGroups = (groups: readonly (UserGroup | Account['groups'][number])[]): GivingGroup[] =>
  groups.map(({ claims, ...group }) => ({ ...group, claims: claims.map(({ claim }) => claim) }))

interface GroupChoiceProps {
  /** All that may be chosen, or those that the account has where one may not list them. */
  readonly groups: readonly GivingGroup[]
  readonly descriptions: ReadonlyMap<number, string>
  readonly values: readonly number[]
  readonly onChange: (ids: number[]) => void
  readonly readOnly: boolean
  /** The groups that there are could not be listed: no one can be added. */
  readonly hidden: boolean
}

/** The groups of an account; one that gives what the viewer lacks can neither be joined nor left, and says why. */
export const GroupChoice = ({ groups, descriptions, values, onChange, readOnly, hidden }: GroupChoiceProps) => {
  const held = useSession().everywhere
  return (
    <>
      {hidden && <p className={classes.note}>{fr.groupsHidden}</p>}
      {groups.length === 0 && !hidden && <p className={classes.note}>{fr.noGroup}</p>}
      <ul className={classes.choices}>
        {groups.map(({ id, name, claims, limited, ...place }) => {
          const lacked = lackedLabels(held, claims)
          return (
            <li key={id}>
              <Checkbox
                label={
                  <span className={classes.rights}>
                    {name}
                    {limited && (
                      <Badge variant="light" tt="none" fw={550} title={placeNames(place).join(', ')}>
                        {shortNames(placeNames(place))}
                      </Badge>
                    )}
                  </span>
                }
                description={lacked !== '' && !readOnly ? fr.lacks(lacked) : descriptions.get(id)}
                checked={values.includes(id)}
                disabled={readOnly || hidden || lacked !== ''}
                onChange={event =>
                  onChange(event.currentTarget.checked ? [...values, id] : values.filter(one => one !== id))
                }
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}
