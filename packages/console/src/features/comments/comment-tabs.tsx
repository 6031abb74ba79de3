import { PageTabs } from '../../ui/page-tabs.tsx'
import { fr } from './fr.ts'

const TABS = [
  { key: 'comments', label: fr.tabs.comments, to: '/comments' },
  { key: 'log-book', label: fr.tabs.logBook, to: '/comments/log-book' },
  { key: 'handover', label: fr.tabs.handovers, to: '/comments/log-book/handover' },
] as const

/** Leads from comments to the log book and the hand-over notes. */
export const CommentTabs = ({ current }: { readonly current: (typeof TABS)[number]['key'] }) => (
  <PageTabs label={fr.views} tabs={TABS} current={current} />
)
