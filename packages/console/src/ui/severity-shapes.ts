import type { Severity } from '@narval/engine'

/** What a severity looks like: octagon ✕, triangle !, diamond ?, disc ✓; shape, word and colour always together. */
export const SHAPES: Readonly<Record<Severity, { readonly outline: string; readonly mark: string }>> = {
  error: { outline: 'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z', mark: 'M5.6 5.6l4.8 4.8m0-4.8l-4.8 4.8' },
  warning: {
    outline: 'M8 1.2c.5 0 .9.2 1.1.7l6 11.2c.4.8-.1 1.7-1.1 1.7H2c-1 0-1.5-.9-1.1-1.7l6-11.2c.2-.5.6-.7 1.1-.7z',
    mark: 'M8 6v4m0 2.3v.1',
  },
  unknown: {
    outline:
      'M7.2.9a1.1 1.1 0 0 1 1.6 0l6.3 6.3a1.1 1.1 0 0 1 0 1.6l-6.3 6.3a1.1 1.1 0 0 1-1.6 0L.9 8.8a1.1 1.1 0 0 1 0-1.6z',
    mark: 'M6.3 6.3C6.3 5.2 7 4.6 8 4.6s1.7.6 1.7 1.6c0 1.3-1.7 1.4-1.7 2.7m0 2.3v.1',
  },
  ok: { outline: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1z', mark: 'M4.9 8.3l2.1 2.1 4.2-4.6' },
}
