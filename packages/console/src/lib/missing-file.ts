const missing = new WeakSet<object>()

// The build tells of each import on demand that fails, with the very error that the importer gets.
addEventListener('vite:preloadError', event => missing.add(event.payload))

/** True for the error of an import on demand whose file could not be fetched. */
export const isMissingFile = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && missing.has(error)
