import { UnstyledButton } from '@mantine/core'
import { CHECK_KINDS, CHECKS, type CheckKind } from '@narval/contracts'
import { IconActivity, IconCpu, IconPlugConnected, IconWorld } from '@tabler/icons-react'
import classes from './kind-cards.module.css'

const ICONS = {
  ping: IconActivity,
  tcp: IconPlugConnected,
  http: IconWorld,
  system: IconCpu,
} as const satisfies Record<CheckKind, unknown>

/** The icon of a kind of check. */
export const KindIcon = ({ kind, size = 20 }: { readonly kind: CheckKind; readonly size?: number }) => {
  const Icon = ICONS[kind]
  return <Icon size={size} stroke={1.7} aria-hidden />
}

interface KindCardsProps {
  readonly value: CheckKind
  /** Null: the kind is settled, only its own card is shown. */
  readonly onChange: ((kind: CheckKind) => void) | null
  readonly label: string
}

/** The kinds of check, one card each. */
export const KindCards = ({ value, onChange, label }: KindCardsProps) => (
  <div className={classes.cards} role="radiogroup" aria-label={label}>
    {CHECK_KINDS.filter(kind => onChange !== null || kind === value).map(kind => (
      <UnstyledButton
        key={kind}
        type="button"
        role="radio"
        aria-checked={kind === value}
        className={classes.card}
        data-chosen={kind === value || undefined}
        disabled={onChange === null}
        onClick={() => onChange?.(kind)}
      >
        <span className={classes.icon}>
          <KindIcon kind={kind} />
        </span>
        <span className={classes.text}>
          <span className={classes.head}>
            <strong>{CHECKS[kind].label}</strong>
            <span className={classes.family}>{CHECKS[kind].family}</span>
          </span>
          <span className={classes.description}>{CHECKS[kind].description}</span>
        </span>
      </UnstyledButton>
    ))}
  </div>
)
