import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

/** Where a page puts things into the shell's header: the shell gives the places, `PageHeader` fills them. */
export interface PageSlots {
  readonly actions: HTMLElement | null
  readonly lead: HTMLElement | null
  readonly meta: HTMLElement | null
  /** Replaces the name of the last breadcrumb item, thus the title; null gives it back. */
  readonly setTitle: (title: string | null) => void
}

const NO_SLOTS: PageSlots = { actions: null, lead: null, meta: null, setTitle: () => {} }
const SlotsContext = createContext<PageSlots>(NO_SLOTS)

export const PageSlotsProvider = SlotsContext.Provider

interface PageHeaderProps {
  /** The name that only the loaded data tells (a host's); else the route's `handle.title` is the title. */
  readonly title?: string | undefined
  /** Before the title: a state's icon. */
  readonly lead?: ReactNode
  /** After the title, small: address, type, site. */
  readonly meta?: ReactNode
  /** At the right: buttons. */
  readonly actions?: ReactNode
}

/** What a page adds to the header that the shell draws (title and breadcrumb come from the route's `handle`). */
export const PageHeader = ({ title, lead, meta, actions }: PageHeaderProps) => {
  const slots = useContext(SlotsContext)
  const { setTitle } = slots
  useEffect(() => {
    setTitle(title ?? null)
    return () => setTitle(null)
  }, [title, setTitle])
  return (
    <>
      {slots.lead !== null && lead !== undefined && createPortal(lead, slots.lead)}
      {slots.meta !== null && meta !== undefined && createPortal(meta, slots.meta)}
      {slots.actions !== null && actions !== undefined && createPortal(actions, slots.actions)}
    </>
  )
}

/** State behind `PageSlotsProvider`, for the shell. */
export const usePageSlots = () => {
  const [actions, actionsRef] = useState<HTMLElement | null>(null)
  const [lead, leadRef] = useState<HTMLElement | null>(null)
  const [meta, metaRef] = useState<HTMLElement | null>(null)
  const [title, setTitle] = useState<string | null>(null)
  return { slots: { actions, lead, meta, setTitle }, title, actionsRef, leadRef, metaRef }
}
