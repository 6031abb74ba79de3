import { CLAIM_TEXTS, CLAIMS, type Claim } from '@narval/contracts'
import { IconChevronRight, IconLink } from '@tabler/icons-react'
import { Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { curlOf } from './curl.ts'
import type { Operation, Schemas } from './document.ts'
import { FieldList, ValueTree } from './field-list.tsx'
import { fieldTree, parameterFields } from './field-tree.ts'
import { fr } from './fr.ts'
import classes from './operation-card.module.css'

interface OperationCardProps {
  readonly operation: Operation
  readonly schemas: Schemas
}

/** One call: a line that opens to all that one needs to make it. Its anchor is its operationId. */
export const OperationCard = ({ operation, schemas }: OperationCardProps) => {
  const { hash, search, key } = useLocation()
  const isTarget = decodeURIComponent(hash.slice(1)) === operation.id
  const [open, setOpen] = useState(isTarget)
  const article = useRef<HTMLElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isTarget) return
    setOpen(true)
    article.current?.scrollIntoView({ block: 'start' })
    toggle.current?.focus({ preventScroll: true })
  }, [isTarget, key])
  const details = `${operation.id}-details`
  return (
    <article className={classes.operation} id={operation.id} ref={article} data-target={isTarget || undefined}>
      <h3 className={classes.heading}>
        <button
          ref={toggle}
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          aria-controls={details}
          onClick={() => setOpen(!open)}
        >
          <IconChevronRight className={classes.chevron} size={15} stroke={2} aria-hidden="true" />
          <span className={classes.method} data-method={operation.method}>
            {operation.method}
          </span>
          <Path path={operation.path} />
          <span className={classes.summary}>{operation.summary}</span>
          <Access operation={operation} />
        </button>
        <Link
          className={classes.anchor}
          to={{ search, hash: operation.id }}
          aria-label={fr.link(operation.id)}
          title={fr.linkTitle}
        >
          <IconLink size={15} stroke={1.8} aria-hidden="true" />
        </Link>
      </h3>
      <div id={details} className={classes.details} hidden={!open}>
        {open && <Details operation={operation} schemas={schemas} />}
      </div>
    </article>
  )
}

/** An address that may break after each slash, its parameters in the accent's colour. */
const Path = ({ path }: { readonly path: string }) => (
  <code className={classes.path}>
    {path
      .split('/')
      .slice(1)
      .map((part, index) => (
        <Fragment key={index}>
          <wbr />/{part.startsWith('{') ? <span className={classes.variable}>{part}</span> : part}
        </Fragment>
      ))}
  </code>
)

const claimOf = ({ claim }: Operation): Claim | undefined => CLAIMS.find(one => one === claim)

const Access = ({ operation }: { readonly operation: Operation }) => {
  const claim = claimOf(operation)
  const { accessKind } = operation
  const kind = ACCESS_KINDS.find(one => one === accessKind)
  return (
    <span className={classes.access} data-access={accessKind} title={claim && fr.claimName(claim)}>
      {claim === undefined ? (kind === undefined ? accessKind : fr.access[kind]) : CLAIM_TEXTS[claim].label}
    </span>
  )
}
const ACCESS_KINDS = ['open', 'self', 'user', 'probe'] as const

const Details = ({ operation, schemas }: OperationCardProps) => {
  const { can } = useSession()
  const claim = claimOf(operation)
  const trees = useMemo(
    () => ({
      path: parameterFields(
        operation.parameters.filter(one => one.in === 'path'),
        schemas,
      ),
      query: parameterFields(
        operation.parameters.filter(one => one.in === 'query'),
        schemas,
      ),
      body: operation.body === null ? null : fieldTree(operation.body, schemas),
      reply: operation.success.schema === null ? null : fieldTree(operation.success.schema, schemas),
    }),
    [operation, schemas],
  )
  const { success, refusals } = operation
  return (
    <>
      <p className={classes.who}>
        {operation.access} {claim !== undefined && (can(claim) ? fr.granted : fr.refused)}
      </p>
      {trees.path.length > 0 && (
        <Part title={fr.inPath}>
          <FieldList fields={trees.path} sent />
        </Part>
      )}
      {trees.query.length > 0 && (
        <Part title={fr.inQuery}>
          <FieldList fields={trees.query} sent />
        </Part>
      )}
      {trees.body !== null && (
        <Part title={fr.body}>
          <ValueTree field={trees.body} sent />
        </Part>
      )}
      <Part title={fr.example}>
        <Example operation={operation} />
      </Part>
      <Part title={fr.reply(success.status)}>
        {trees.reply === null ? (
          <p className={classes.note}>{fr.noContent}</p>
        ) : (
          <ValueTree field={trees.reply} sent={false} />
        )}
      </Part>
      <Part title={fr.refusals}>
        <dl className={classes.refusals}>
          {refusals.map(({ status, description }) => (
            <div key={status}>
              <dt>{status === 'default' ? fr.otherStatus : status}</dt>
              <dd>{description}</dd>
            </div>
          ))}
        </dl>
      </Part>
    </>
  )
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={classes.part}>
    <h4 className={classes.partTitle}>{title}</h4>
    {children}
  </section>
)

const Example = ({ operation }: { readonly operation: Operation }) => {
  const command = curlOf(operation, location.origin)
  if (command === null) return <p className={classes.note}>{fr.exampleProbe}</p>
  return (
    <div className={classes.command}>
      <CopyText text={command} label={fr.exampleLabel(operation.id)} words={fr.copyWords} />
    </div>
  )
}
