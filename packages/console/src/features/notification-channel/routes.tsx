import { LEVELS, under } from '../../lib/levels.ts'
import { fr } from './fr.ts'

/** Channels and deliveries; rules and the simulator stand beside them, of a section of their own. */
export const routes = under(
  [LEVELS.services, LEVELS.notifications],
  {
    index: true,
    lazy: async () => ({ Component: (await import('./channel-list-page.tsx')).ChannelListPage }),
  },
  {
    path: 'channel/new',
    handle: { title: fr.newTitle },
    lazy: async () => ({ Component: (await import('./channel-edit-page.tsx')).ChannelNewPage }),
  },
  {
    path: 'channel/:id',
    handle: { title: fr.oneTitle },
    lazy: async () => ({ Component: (await import('./channel-edit-page.tsx')).ChannelEditPage }),
  },
  {
    path: 'delivery',
    handle: { title: fr.deliveries },
    lazy: async () => ({ Component: (await import('./delivery-page.tsx')).DeliveryPage }),
  },
)
