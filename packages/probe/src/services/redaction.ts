const VEIL = '••••'

/** Takes secrets out of texts, whoever put them there: a service may repeat what it was sent. */
export interface Redactor {
  readonly hide: (secret: string) => void
  readonly clean: (text: string) => string
}

export const createRedactor = (): Redactor => {
  const secrets = new Set<string>()
  return {
    hide: secret => {
      if (secret === '') return
      const bytes = Buffer.from(secret, 'utf8')
      for (const form of [secret, bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')])
        secrets.add(form)
    },
    clean: text => {
      // The longest first: what is hidden by a short one would hide a long one from sight.
      const longest = [...secrets].toSorted((a, b) => b.length - a.length)
      return longest.reduce((left, secret) => left.replaceAll(secret, VEIL), text)
    },
  }
}

const LINE_MAX = 300

/** One line of what a service says, as people may read it: no control characters, cut to a few hundred characters. */
export const spoken = (text: string): string => {
  const plain = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029\ufffd]+/gu, ' ').trim()
  return plain.length > LINE_MAX ? `${plain.slice(0, LINE_MAX - 1)}…` : plain
}
