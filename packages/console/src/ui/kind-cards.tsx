import { UnstyledButton } from '@mantine/core'
import { CHECK_KINDS, CHECKS, type CheckFamily, type CheckKind } from '@narval/contracts'
import {
  IconActivity,
  IconCpu,
  IconDatabase,
  IconInbox,
  IconMail,
  IconPlugConnected,
  IconRouter,
  IconWorld,
} from '@tabler/icons-react'
import classes from './kind-cards.module.css'

const FAMILY_ICONS = {
  Réseau: IconPlugConnected,
  Web: IconWorld,
  SNMP: IconRouter,
  Messagerie: IconMail,
  'Annuaire et données': IconDatabase,
  Système: IconCpu,
  Réception: IconInbox,
} as const satisfies Record<CheckFamily, unknown>
/** Kinds with a picture of their own; the others have their family's. */
const ICONS: Readonly<Partial<Record<CheckKind, typeof IconActivity>>> = { ping: IconActivity }

/** The icon of a kind of check. */
export const KindIcon = ({ kind, size = 20 }: { readonly kind: CheckKind; readonly size?: number }) => {
  const Icon = ICONS[kind] ?? FAMILY_ICONS[CHECKS[kind].family]
  return <Icon size={size} stroke={1.7} aria-hidden />
}

const KindText = ({ kind }: { readonly kind: CheckKind }) => (
  <>
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
  </>
)

interface KindCardsProps {
  readonly value: CheckKind
  /** Null: the kind is settled, only its own card is shown. */
  readonly onChange: ((kind: CheckKind) => void) | null
  readonly label: string
}

/** The kinds of check, one card each, of which one is chosen. */
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
        <KindText kind={kind} />
      </UnstyledButton>
    ))}
  </div>
)

/** The same kinds as buttons: each adds one of its kind. */
export const KindGallery = ({
  onAdd,
  label,
}: {
  readonly onAdd: (kind: CheckKind) => void
  readonly label: string
}) => (
  <fieldset className={classes.gallery}>
    <legend className={classes.legend}>{label}</legend>
    <div className={classes.cards}>
      {CHECK_KINDS.map(kind => (
        <UnstyledButton key={kind} type="button" className={classes.card} onClick={() => onAdd(kind)}>
          <KindText kind={kind} />
        </UnstyledButton>
      ))}
    </div>
  </fieldset>
)
