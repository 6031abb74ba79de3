import { useEffect } from 'react'
import { usePublicConfiguration } from '../lib/public-configuration.ts'

/** The tab's title: the page's, else the product's name (spec §2). */
export const useDocumentTitle = (title: string | null): void => {
  const { name } = usePublicConfiguration()
  useEffect(() => {
    document.title = title === null || title === '' ? name : title
  }, [title, name])
}
