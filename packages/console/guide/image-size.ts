/** Width and height in pixels that a PNG or a WebP file says of itself; undefined for anything else. */
export const imageSize = (bytes: Buffer): { width: number; height: number } | undefined => {
  if (bytes.length < 30) return undefined
  if (bytes.toString('latin1', 1, 4) === 'PNG') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind !== 'VP8L') return undefined
  const packed = bytes.readUInt32LE(21)
  return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 }
}
