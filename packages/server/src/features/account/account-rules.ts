import { CLAIM_TEXTS, CLAIMS, type Claim, grants } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, forbidden, notFound } from '../../http/refusal.ts'
import type { Database, Db } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'
import { type AccountRecord, countAdministrators, findAccount } from './account.store.ts'

/** Who may do what to whose account (S34). Each throws the refusal that says why. */

export const needAccount = async (db: Db, id: number): Promise<AccountRecord> => {
  const record = await findAccount(db, { id })
  if (record === null) throw notFound("Ce compte n'existe pas.")
  return record
}

/** Nobody edits an administrator without being one. */
export const mayEdit = (viewer: Viewer, target: AccountRecord): void => {
  if (target.given.has('admin') && !viewer.claims.has('admin'))
    throw forbidden('Seul un administrateur modifie le compte d’un administrateur.')
}

const namesOf = (claims: readonly Claim[]): string => claims.map(claim => CLAIM_TEXTS[claim].label).join(', ')
const labelsBeyond = (viewer: Viewer, claims: ReadonlySet<string>): string =>
  namesOf(CLAIMS.filter(claim => claims.has(claim) && (!grants(viewer.claims, claim) || viewer.limits.has(claim))))

/** Nobody gives or takes what he does not hold, or holds on some sites only. */
export const mayChange = (viewer: Viewer, before: Iterable<string>, after: Iterable<string>): void => {
  const beyond = labelsBeyond(viewer, new Set(before).symmetricDifference(new Set(after)))
  if (beyond !== '') throw forbidden(`Vous ne pouvez ni donner ni retirer un droit que vous n'avez pas : ${beyond}.`)
}

/** A token does what its owner may, where he may: also what he holds on some sites only. */
export const mayLend = (viewer: Viewer, claims: readonly Claim[]): void => {
  const beyond = namesOf(claims.filter(claim => !grants(viewer.claims, claim)))
  if (beyond !== '') throw forbidden(`Un jeton ne porte pas un droit que vous n'avez pas : ${beyond}.`)
}

/** Whoever sets a password can sign in with it: nobody does so for an account that may do more than he. */
export const mayTakeOver = (viewer: Viewer, target: AccountRecord): void => {
  mayEdit(viewer, target)
  const beyond = labelsBeyond(viewer, target.given)
  if (beyond !== '') throw forbidden(`Ce compte a des droits que vous n'avez pas : ${beyond}.`)
}

/** Runs a change and undoes it when it would leave nobody with `admin`; two at once wait for each other. */
export const keepingAnAdministrator = <T>(database: Database, work: (trx: Db) => Promise<T>): Promise<T> =>
  transaction(database.db, async trx => {
    if (database.dialect === 'postgres')
      await trx.selectFrom('account').select('id').orderBy('id').forUpdate().execute()
    const done = await work(trx)
    if ((await countAdministrators(trx)) === 0)
      throw conflict("C'est le dernier administrateur : donnez d'abord ce droit à un autre compte.")
    return done
  })
