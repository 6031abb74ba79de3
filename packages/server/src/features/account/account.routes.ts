import {
  accountRoutes,
  apiTokenRoutes,
  authenticationRoutes,
  CLAIM_TEXTS,
  CLAIMS,
  sessionRoutes,
} from '@narval/contracts'
import { exported } from '../../http/exported.ts'
import { type Mounted, on, onOpen } from '../../http/mount.ts'
import { FIRST_PAGE } from '../../store/datatable.ts'
import type { AccountService } from './account.service.ts'
import type { AccountBulk } from './account-bulk.ts'
import { ACCOUNT_COLUMNS } from './account-list.ts'
import type { ApiTokenService } from './api-token.service.ts'
import type { PasswordService } from './password.service.ts'
import type { PictureService } from './picture.service.ts'
import type { SessionService } from './session.service.ts'

export interface AccountServices {
  readonly accounts: AccountService
  readonly bulk: AccountBulk
  readonly passwords: PasswordService
  readonly sessions: SessionService
  readonly apiTokens: ApiTokenService
  readonly pictures: PictureService
}

export const accountHandlers = ({
  accounts,
  bulk,
  passwords,
  sessions,
  apiTokens,
  pictures,
}: AccountServices): Mounted[] => [
  onOpen(authenticationRoutes.login, async ({ body, address, bindSession }) => {
    const { sessionId, tokens } = await sessions.login(body, address)
    bindSession(sessionId)
    return tokens
  }),
  onOpen(authenticationRoutes.secondFactor, async ({ body, address, bindSession }) => {
    const { sessionId, tokens } = await sessions.loginByCode(body, address)
    bindSession(sessionId)
    return tokens
  }),
  onOpen(authenticationRoutes.refresh, async ({ body, address, bindSession }) => {
    const { sessionId, tokens } = await sessions.refresh(body, address)
    bindSession(sessionId)
    return tokens
  }),
  on(authenticationRoutes.logout, async ({ address }, viewer) => void (await sessions.logout(viewer, address))),
  on(
    authenticationRoutes.passwordUpdate,
    async ({ body, address }, viewer) => void (await passwords.update(viewer, body, address)),
  ),
  on(sessionRoutes.list, (_, viewer) => sessions.list(viewer)),
  on(sessionRoutes.end, async ({ params, address }, viewer) => void (await sessions.end(viewer, params.id, address))),
  on(sessionRoutes.endOthers, async ({ address }, viewer) => void (await sessions.end(viewer, 'others', address))),
  on(sessionRoutes.ofAccount, ({ params }, viewer) => sessions.ofAccount(viewer, params.id)),
  on(
    sessionRoutes.endOfAccount,
    async ({ params, query, address }, viewer) =>
      void (await sessions.endOf(viewer, params.id, query.session ?? 'all', address)),
  ),
  on(apiTokenRoutes.list, (_, viewer) => apiTokens.list(viewer)),
  on(apiTokenRoutes.create, ({ body, address }, viewer) => apiTokens.create(viewer, body, address)),
  on(
    apiTokenRoutes.delete,
    async ({ params, address }, viewer) => void (await apiTokens.delete(viewer, params.id, address)),
  ),
  on(accountRoutes.own, (_, viewer) => accounts.own(viewer)),
  on(accountRoutes.get, ({ params }) => accounts.get(params.id)),
  on(accountRoutes.lastUpdate, () => accounts.lastUpdate()),
  on(accountRoutes.create, ({ body, address }, viewer) => accounts.create(viewer, body, address)),
  on(accountRoutes.ownUpdate, ({ body, address }, viewer) => accounts.ownUpdate(viewer, body, address)),
  on(accountRoutes.pictureSet, async ({ body, address }, viewer) => {
    await pictures.set(viewer, body, address)
    return accounts.own(viewer)
  }),
  on(accountRoutes.update, ({ params, body, address }, viewer) => accounts.update(viewer, params.id, body, address)),
  on(accountRoutes.passwordReset, ({ params, address }, viewer) => passwords.reset(viewer, params.id, address)),
  on(
    accountRoutes.ownDelete,
    async ({ address }, viewer) => void (await accounts.delete(viewer, viewer.userId, address)),
  ),
  on(
    accountRoutes.delete,
    async ({ params, address }, viewer) => void (await accounts.delete(viewer, params.id, address)),
  ),
  on(accountRoutes.ownClaims, (_, viewer) => [...viewer.claims].map(claim => ({ claim }))),
  on(accountRoutes.claims, ({ params }) => accounts.claims(params.id)),
  on(accountRoutes.allClaims, () => CLAIMS.map(claim => ({ claim, ...CLAIM_TEXTS[claim] }))),
  on(accountRoutes.setClaims, ({ params, body, address }, viewer) =>
    accounts.setClaims(
      viewer,
      params.id,
      body.claims.map(({ claim }) => claim),
      address,
    ),
  ),
  on(accountRoutes.unlock, ({ params, address }, viewer) => accounts.unlock(viewer, params.id, address)),
  on(accountRoutes.plan, ({ params }, viewer) => accounts.plan(viewer, params.id)),
  on(accountRoutes.bulk, ({ body, address }, viewer) => bulk(viewer, body, address)),
  on(accountRoutes.datatable.get, () => accounts.datatable(FIRST_PAGE)),
  on(accountRoutes.datatable.put, async ({ body, format }) =>
    format === null
      ? accounts.datatable(body)
      : exported(format, { name: 'comptes', columns: ACCOUNT_COLUMNS, slices: await accounts.everything(body) }),
  ),
]
