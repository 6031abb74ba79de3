/** The name of a mailbox as IMAP4rev1 writes it (RFC 3501, 5.1.3: modified UTF-7). */
export const encodeMailbox = (name: string): string =>
  name.replace(/&|[^\x20-\x7e]+/gu, part => {
    if (part === '&') return '&-'
    const units = Buffer.from(part, 'utf16le').swap16().toString('base64')
    return `&${units.replace(/=+$/, '').replaceAll('/', ',')}-`
  })
