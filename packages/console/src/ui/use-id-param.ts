import { useParams } from 'react-router'
import { idOf } from '../lib/address.ts'

/** The id in the address; null when it is not one (`new`, or mistyped). */
export const useIdParam = (): number | null => {
  const { id } = useParams()
  return idOf(id)
}
