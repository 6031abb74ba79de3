import { Link } from 'react-router'
import { inherited as words } from '../i18n/inherited.ts'
import { useSession } from '../lib/session.ts'
import classes from './model-badge.module.css'

interface ModelBadgeProps {
  /** Null: it comes from no monitoring model, and nothing is shown. */
  readonly modelId: number | null
  readonly modelName: string | null
  /** No link: it stands in a row that is one. */
  readonly plain?: boolean
}

/** Says that a scanner or metric comes from a monitoring model, and leads there who may see it. */
export const ModelBadge = ({ modelId, modelName, plain = false }: ModelBadgeProps) => {
  const { can } = useSession()
  if (modelId === null) return null
  const title = words.comesFrom(modelName ?? '')
  return can('scanner_read') && !plain ? (
    <Link to={`/host/model/${modelId}`} className={classes.badge} title={title}>
      {words.badge}
    </Link>
  ) : (
    <span className={classes.badge} title={title}>
      {words.badge}
    </span>
  )
}
