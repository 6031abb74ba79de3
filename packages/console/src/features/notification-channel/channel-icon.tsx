import type { ChannelKind } from '@narval/contracts'
import {
  IconBell,
  IconBrandSlack,
  IconBrandTeams,
  IconDeviceMobileMessage,
  IconMail,
  IconMessageCircle,
  IconWebhook,
} from '@tabler/icons-react'

const ICONS = {
  email: IconMail,
  webhook: IconWebhook,
  slack: IconBrandSlack,
  mattermost: IconMessageCircle,
  teams: IconBrandTeams,
  ntfy: IconBell,
  sms: IconDeviceMobileMessage,
} as const satisfies Record<ChannelKind, unknown>

export const ChannelIcon = ({ kind }: { readonly kind: ChannelKind }) => {
  const Icon = ICONS[kind]
  return <Icon size={20} stroke={1.6} aria-hidden="true" />
}
