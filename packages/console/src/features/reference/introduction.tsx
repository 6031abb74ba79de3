import {
  ACCESS_TOKEN_MS,
  API_TOKEN_MAX_DAYS,
  API_TOKEN_PREFIX,
  DATATABLE_MAX_LENGTH,
  SELECT2_PAGE,
} from '@narval/contracts'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { CopyText } from '../../ui/copy-text.tsx'
import { commandOf, TOKEN_ARGUMENT } from './curl.ts'
import { fr } from './fr.ts'
import classes from './introduction.module.css'
import { introductionWords as words } from './introduction-words.ts'
import { INTRODUCTION_ID } from './section-links.tsx'

const thousands = new Intl.NumberFormat('fr-FR')

/** What holds for every call: who one is, what refusals look like, how lists are asked for. */
export const Introduction = ({ narrow }: { readonly narrow: boolean }) => {
  const { origin } = location
  const title = useId()
  return (
    <section className={classes.introduction} id={INTRODUCTION_ID} aria-labelledby={title}>
      <h2 className={classes.title} id={title}>
        {fr.introduction}
      </h2>
      <div className={classes.topics}>
        <Topic title={words.authentication.title} open>
          <p>{words.authentication.text(ACCESS_TOKEN_MS / 60_000)}</p>
          <ul>
            <li>{words.authentication.session}</li>
            <li>{words.authentication.token}</li>
          </ul>
        </Topic>
        <Topic title={words.scripts.title} open={!narrow}>
          <p>
            {words.scripts.text(API_TOKEN_PREFIX, API_TOKEN_MAX_DAYS)}{' '}
            <Link to={{ hash: 'postApiTokenCreate' }}>POST /api/ApiToken/Create</Link>.
          </p>
          <Command text={commandOf(`curl '${origin}/api/Site/Get'`, TOKEN_ARGUMENT)} label={words.scripts.command} />
        </Topic>
        <Topic title={words.session.title} open={!narrow}>
          <p>{words.session.text}</p>
          <Command text={words.session.commands(origin)} label={words.session.command} />
        </Topic>
        <Topic title={words.problems.title} open={!narrow}>
          <p>{words.problems.text}</p>
          <pre className={classes.code}>{words.problems.example}</pre>
          <p>{words.problems.more}</p>
        </Topic>
        <Topic title={words.lists.title} open={!narrow}>
          <p>{words.lists.datatable(thousands.format(DATATABLE_MAX_LENGTH))}</p>
          <p>{words.lists.select2(SELECT2_PAGE)}</p>
        </Topic>
        <Topic title={words.dates.title} open={!narrow}>
          <p>
            {words.dates.text} <code className={classes.inline}>{words.dates.example}</code>
          </p>
          <p>{words.dates.epoch}</p>
          <p>{words.dates.evolution}</p>
        </Topic>
      </div>
    </section>
  )
}

const Topic = ({
  title,
  open,
  children,
}: {
  readonly title: string
  readonly open: boolean
  readonly children: ReactNode
}) => (
  <details className={classes.topic} open={open}>
    <summary>
      <h3>{title}</h3>
    </summary>
    <div className={classes.text}>{children}</div>
  </details>
)

const Command = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div className={classes.command}>
    <CopyText text={text} label={label} words={fr.copyWords} />
  </div>
)
