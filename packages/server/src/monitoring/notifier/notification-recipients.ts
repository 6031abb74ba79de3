import { CHANNEL_KINDS, type ChannelKind, isPersonal, type RuleStep } from '@narval/contracts'
import type { People } from '../../store/notification-rules.ts'

/** One person by one channel, or the place of a channel. */
export interface Recipient {
  /** Of the planner; the same for the same person by the same channel. */
  readonly key: string
  readonly channelId: number
  /** Null: the place of the channel itself. */
  readonly accountId: number | null
  /** Why nothing would arrive; null: it would. */
  readonly fault: string | null
  /** It is there to be told: a missing address shows on what was not delivered. */
  readonly told: boolean
}

export const recipientKey = (channelId: number, accountId: number | null): string => `${channelId}:${accountId ?? 0}`
export const readRecipientKey = (key: string): { channelId: number; accountId: number | null } => {
  const [channelId = 0, accountId = 0] = key.split(':').map(Number)
  return { channelId, accountId: accountId === 0 ? null : accountId }
}

export const channelKindOf = (kind: string): ChannelKind => CHANNEL_KINDS.find(one => one === kind) ?? 'webhook'

/** Everybody whom a step names, with why some can not be reached. */
export const recipientsOf = (step: RuleStep, people: People): Recipient[] => {
  const named = [
    ...new Set([...step.accountIds, ...step.groupIds.flatMap(id => people.groups.get(id)?.memberIds ?? [])]),
  ]
  const isForPeople = step.accountIds.length + step.groupIds.length > 0
  return step.channelIds.flatMap(channelId => {
    const channel = people.channels.get(channelId)
    if (channel === undefined) return [unreachable(channelId, null, 'le canal a été supprimé')]
    const off = channel.enabled ? null : `le canal «\u202f${channel.name}\u202f» est désactivé`
    const kind = channelKindOf(channel.kind)
    if (!isPersonal(kind) || !isForPeople) {
      return [off === null ? reachable(channelId, null, null) : unreachable(channelId, null, off)]
    }
    return named.map(id => {
      const person = people.accounts.get(id)
      if (off !== null) return unreachable(channelId, id, off)
      if (person === undefined) return unreachable(channelId, id, 'le compte a été supprimé')
      if (!person.enabled) return unreachable(channelId, id, 'le compte est désactivé')
      const address = kind === 'sms' ? person.phone : person.email
      const missing = kind === 'sms' ? 'aucun numéro de téléphone' : 'aucune adresse e-mail'
      return reachable(channelId, id, address === '' ? missing : null)
    })
  })
}

const reachable = (channelId: number, accountId: number | null, fault: string | null): Recipient => ({
  ...{ key: recipientKey(channelId, accountId), channelId, accountId, fault },
  told: true,
})
const unreachable = (channelId: number, accountId: number | null, fault: string): Recipient => ({
  ...{ key: recipientKey(channelId, accountId), channelId, accountId, fault },
  told: false,
})

/** What keeps a rule from reaching somebody, in sentences. */
export const faultsOf = (steps: readonly RuleStep[], people: People): string[] =>
  steps.flatMap((step, index) => {
    const recipients = recipientsOf(step, people)
    const isDeaf =
      step.accountIds.length + step.groupIds.length > 0 &&
      !step.channelIds.some(id => isPersonal(channelKindOf(people.channels.get(id)?.kind ?? '')))
    const deaf = isDeaf
      ? [
          `Étape ${index + 1}\u202f: les personnes choisies ne sont pas prévenues, aucun de ses canaux n’écrit à chacune (e-mail, SMS).`,
        ]
      : []
    const whys = [...new Set(recipients.flatMap(({ fault }) => fault ?? []))]
    if (recipients.some(({ fault }) => fault === null)) {
      return [...deaf, ...whys.map(why => `Étape ${index + 1}\u202f: une partie n’est pas prévenue\u202f: ${why}.`)]
    }
    const why = whys.length > 0 ? whys.join(', ') : 'les groupes choisis n’ont aucun membre'
    return [...deaf, `L’étape ${index + 1} n’atteint personne\u202f: ${why}.`]
  })
