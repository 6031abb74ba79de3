/** Kept by the tab, and of one account: what one looked at is nobody else's, and no name is kept. */
const KEY = 'recentObjects'
const MAX = 8

/** The objects that an account has looked at in this tab, the last first: `host:4`. */
export const recentObjects = (userId: number, store: Pick<Storage, 'getItem'> = sessionStorage): string[] => {
  try {
    const [owner, ...objects] = (store.getItem(KEY) ?? '').split(',')
    return owner === String(userId) ? objects.filter(one => /^[a-z]+:\d{1,10}$/.test(one)).slice(0, MAX) : []
  } catch {
    return []
  }
}

/** Puts one first. */
export const rememberObject = (
  userId: number,
  object: string,
  store: Pick<Storage, 'getItem' | 'setItem'> = sessionStorage,
): void => {
  const others = recentObjects(userId, store).filter(one => one !== object)
  try {
    store.setItem(KEY, [userId, object, ...others].slice(0, MAX + 1).join(','))
  } catch {
    // A browser that keeps nothing.
  }
}
