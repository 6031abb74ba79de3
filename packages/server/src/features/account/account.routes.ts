import { accountRoutes, authenticationRoutes, CLAIM_TEXTS, CLAIMS } from '@narval/contracts'
import { type Mounted, on, onOpen } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { AccountService } from './account.service.ts'
import type { SessionService } from './session.service.ts'

export const accountHandlers = (accounts: AccountService, sessions: SessionService): Mounted[] => [
  onOpen(authenticationRoutes.login, ({ body, address }) => sessions.login(body, address)),
  onOpen(authenticationRoutes.refresh, ({ body }) => sessions.refresh(body)),
  on(authenticationRoutes.logout, async (_, viewer) => void (await sessions.logout(viewer))),
  on(
    authenticationRoutes.passwordUpdate,
    async ({ body }, viewer) => void (await accounts.updatePassword(viewer, body)),
  ),
  on(accountRoutes.own, (_, viewer) => accounts.own(viewer)),
  on(accountRoutes.get, ({ params }) => accounts.get(params.id)),
  on(accountRoutes.lastUpdate, () => accounts.lastUpdate()),
  on(accountRoutes.create, ({ body }, viewer) => accounts.create(viewer, body)),
  on(accountRoutes.ownUpdate, ({ body }, viewer) => accounts.ownUpdate(viewer, body)),
  on(accountRoutes.update, ({ params, body }, viewer) => accounts.update(viewer, params.id, body)),
  on(accountRoutes.passwordReset, ({ params }, viewer) => accounts.resetPassword(viewer, params.id)),
  on(accountRoutes.ownDelete, async (_, viewer) => void (await accounts.delete(viewer, viewer.userId))),
  on(accountRoutes.delete, async ({ params }, viewer) => void (await accounts.delete(viewer, params.id))),
  on(accountRoutes.ownClaims, (_, viewer) => [...viewer.claims].map(claim => ({ claim }))),
  on(accountRoutes.claims, ({ params }) => accounts.claims(params.id)),
  on(accountRoutes.allClaims, () => CLAIMS.map(claim => ({ claim, ...CLAIM_TEXTS[claim] }))),
  on(accountRoutes.setClaims, ({ params, body }, viewer) =>
    accounts.setClaims(
      viewer,
      params.id,
      body.claims.map(({ claim }) => claim),
    ),
  ),
  on(accountRoutes.userGroups, () => accounts.userGroups()),
  on(accountRoutes.datatable.get, () => accounts.datatable(FIRST_PAGE)),
  on(accountRoutes.datatable.put, ({ body }) => accounts.datatable(body)),
]
