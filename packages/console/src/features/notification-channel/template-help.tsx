import { fillTemplate, templateFault, templateValues, WEBHOOK_PLACEHOLDERS } from '@narval/contracts'
import { type Control, useWatch } from 'react-hook-form'
import classes from './channel.module.css'
import type { ChannelValues } from './channel-values.ts'
import { fr } from './fr.ts'

/** An incident as many are, from which the preview is made. */
const EXAMPLE = templateValues(
  {
    ...{ kind: 'problem', severity: 'error', at: '2026-07-14T03:00:00.000Z', link: '/dashboard/live-view/incident/12' },
    subject: 'Erreur — srv-compta-1\u202f: Ping',
    text: ['srv-compta-1 (Lyon) ne répond plus.'],
    incidents: [
      {
        ...{
          id: 12,
          title: 'srv-compta-1\u202f: Ping',
          severity: 'error',
          since: '2026-07-14T02:58:40.000Z',
          until: null,
        },
        ...{ information: 'Délai dépassé après 2 s', siteName: 'Lyon', hostName: 'srv-compta-1', metricId: 7 },
        ...{ instruction: 'Appeler l’astreinte réseau.', link: '/dashboard/live-view/incident/12', chain: [] },
      },
    ],
  },
  {
    ...{ key: 'exemple-12', reason: 'Règle «\u202fAstreinte\u202f», étape 1.', ruleName: 'Astreinte' },
    recipient: { name: 'Marie Durand', email: 'marie.durand@exemple.fr', phone: '+33612345678' },
    base: 'https://narval.exemple.fr',
  },
)

/** What a template may name, and what it makes of an example. */
export const TemplateHelp = <O,>({ control }: { readonly control: Control<ChannelValues, unknown, O> }) => {
  const body = useWatch({ control, name: 'settings.body' })
  const template = typeof body === 'string' ? body : ''
  const preview = templateFault(template) ?? JSON.stringify(fillTemplate(template, EXAMPLE), null, 2)
  return (
    <>
      <details className={classes.help}>
        <summary>{fr.placeholders}</summary>
        <p>{fr.placeholdersHelp}</p>
        <dl>
          {Object.entries(WEBHOOK_PLACEHOLDERS).map(([name, text]) => (
            <div key={name}>
              <dt>
                <code>{`{{${name}}}`}</code>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </details>
      <details className={classes.help}>
        <summary>{fr.preview}</summary>
        <pre>{preview}</pre>
      </details>
    </>
  )
}
