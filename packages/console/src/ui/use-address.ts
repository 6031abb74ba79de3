import { useSearchParams } from 'react-router'
import { type AddressChanges, changedParams } from '../lib/address.ts'

/** What the address says this instant: what is rendered may be a transition behind it. */
export const paramsNow = (): URLSearchParams => new URLSearchParams(window.location.search)

/**
 * The parameters of the address, and a way to change some of them, in one call a turn. Adds no step to « back » unless
 * told `replace: false`; the page stays scrolled where it is.
 */
export const useAddress = () => {
  const [params, setParams] = useSearchParams()
  const put = (changes: AddressChanges, { replace = true } = {}): void =>
    setParams(changedParams(paramsNow(), changes), { replace, preventScrollReset: true })
  return { params, put }
}
