import { Card } from '../../ui/page.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './host-page.module.css'
import { useHostOpinions } from './host-queries.ts'

const SHOWN = 5

/** Whom the server asked when the life test failed, and what they found; nothing when nobody was asked. */
export const Opinions = ({ hostId }: { readonly hostId: number }) => {
  const { data = [] } = useHostOpinions(hostId)
  if (data.length === 0) return null
  return (
    <Card title={fr.opinions}>
      <p className={classes.information}>{fr.opinionsHelp}</p>
      <ul className={classes.links}>
        {data.slice(0, SHOWN).map(({ id, at, probeName, verdict, message }) => (
          <li key={id}>
            <SeverityIcon severity={verdict === 'answers' ? 'ok' : 'error'} />
            <span>
              {fr.verdicts[verdict](probeName)} · <Ago at={at} />
              {message !== '' && <div className={classes.information}>{message}</div>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
