import { CREDENTIAL_OWNERS, CREDENTIAL_ROUTES, type CredentialOwner, credentialRoutes } from '@narval/contracts'
import { type Mounted, on } from '../../http/mount.ts'
import type { CredentialService } from './credential.service.ts'

export const credentialHandlers = (credentials: CredentialService): Mounted[] => [
  ...CREDENTIAL_OWNERS.flatMap(owner => handlersOf(credentials, owner)),
  on(credentialRoutes.rotate, ({ address }, viewer) => credentials.rotate(viewer, address)),
]

const handlersOf = (credentials: CredentialService, owner: CredentialOwner): Mounted[] => {
  const routes = CREDENTIAL_ROUTES[owner]
  return [
    on(routes.get, ({ params }, viewer) => credentials.get(viewer, owner, params.id)),
    on(routes.update, ({ params, body, address }, viewer) =>
      credentials.update({ viewer, address, owner, id: params.id }, body),
    ),
    on(routes.delete, ({ params, query, address }, viewer) =>
      credentials.delete({ viewer, address, owner, id: params.id }, query.kind),
    ),
  ]
}
