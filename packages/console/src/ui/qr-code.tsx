import { useMemo } from 'react'
import { qrCode } from '../lib/qr.ts'
import classes from './qr-code.module.css'

/** Light modules around it, without which it is not found. */
const QUIET = 4

/** A text as a QR code, dark on light in both themes: cameras expect it so. */
export const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const rows = useMemo(() => qrCode(text), [text])
  const size = rows.length + 2 * QUIET
  const path = rows
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      className={classes.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
