import { Badge } from '@mantine/core'
import { CLAIM_TEXTS, CLAIMS, type OwnAccount } from '@narval/contracts'
import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { Card, LoadingState } from '../../ui/page.tsx'
import { AlertsCard } from './alerts-card.tsx'
import { ApiTokensCard } from './api-tokens-card.tsx'
import { fr } from './fr.ts'
import classes from './my-account.module.css'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** /user/myaccount: profile, preferences, rights, password, second factor, sessions, API tokens. */
export const MyAccountPage = () => {
  const { user } = useSession()
  if (user === null) return <LoadingState />
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <ProfileForm key={user.idUser} user={user} />
        <SessionsCard />
        <ApiTokensCard />
      </div>
      <div className={classes.column}>
        <PasswordForm />
        <SecondFactorCard />
        <AlertsCard />
        <Rights user={user} />
      </div>
      <p className={classes.reference}>
        {fr.scripts} <Link to="/api/docs">{fr.reference}</Link>
      </p>
    </div>
  )
}

const Rights = ({ user }: { readonly user: OwnAccount }) => {
  const held = CLAIMS.filter(claim => user.claims.some(entry => entry.claim === claim))
  const limitOf = (claim: string) => user.limits.find(({ claims }) => claims.includes(claim))
  return (
    <Card title={fr.rights}>
      {user.limited && <p className={classes.note}>{fr.limited}</p>}
      {held.length === 0 ? (
        <p className={classes.note}>{fr.noRights}</p>
      ) : (
        <ul className={classes.rights}>
          {held.map(claim => (
            <li key={claim}>
              <Badge variant="light" tt="none" fw={550} title={CLAIM_TEXTS[claim].description}>
                {CLAIM_TEXTS[claim].label}
              </Badge>
              <Where limit={limitOf(claim)} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Where a right holds that does not wherever one reads. */
const Where = ({ limit }: { readonly limit: OwnAccount['limits'][number] | undefined }) =>
  limit !== undefined && (
    <span className={classes.where}>{fr.rightHolds(limit.siteIds.length, limit.hostIds.length)}</span>
  )
