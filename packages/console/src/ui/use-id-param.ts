import { useParams } from 'react-router'

/** The id in the address; null when it is not one (`new`, or mistyped). */
export const useIdParam = (): number | null => {
  const { id } = useParams()
  return id !== undefined && /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null
}
