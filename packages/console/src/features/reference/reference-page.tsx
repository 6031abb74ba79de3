import { Button, CloseButton, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { referenceRoutes } from '@narval/contracts'
import { IconDownload, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { call } from '../../lib/api.ts'
import { saveFile } from '../../lib/save-file.ts'
import { EmptyState, ErrorState, LoadingState, PageHeader } from '../../ui/page.tsx'
import { type Reference, readReference, type Section } from './document.ts'
import { countOperations, filterSections } from './filter.ts'
import { fr } from './fr.ts'
import { Introduction } from './introduction.tsx'
import { OperationCard } from './operation-card.tsx'
import classes from './reference-page.module.css'
import { SectionLinks, SectionSelect } from './section-links.tsx'

/** It only changes with the server's version. */
const STALE_MS = 10 * 60_000
/** Below this the list of controllers is a select. */
const NARROW = '(max-width: 1080px)'

/** /api/docs: the OpenAPI document, to be read. */
export const ReferencePage = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ['reference'],
    queryFn: async ({ signal }) => {
      const source = await call(referenceRoutes.openapi, { signal })
      return { source, reference: readReference(source) }
    },
    staleTime: STALE_MS,
  })
  if (data === undefined)
    return error === null ? <LoadingState /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHeader
        meta={fr.meta(data.reference.openapi, data.reference.version)}
        actions={
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => save(data.source)}>
            {fr.download}
          </Button>
        }
      />
      <Content reference={data.reference} />
    </>
  )
}

const save = (source: unknown): void =>
  saveFile(fr.fileName, new Blob([JSON.stringify(source, null, 2)], { type: 'application/json' }))

const Content = ({ reference }: { readonly reference: Reference }) => {
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false
  const { search, setSearch, shown } = useFilter(reference.sections)
  const all = countOperations(reference.sections)
  const content = useRef<HTMLDivElement>(null)
  const filter = (text: string): void => {
    setSearch(text)
    // What is found begins under the filter, however far one had read.
    const top = content.current?.getBoundingClientRect().top ?? 0
    if (top < 0) content.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <div className={classes.layout}>
      {!narrow && <SectionLinks sections={shown} withIntroduction={search === ''} />}
      <div className={classes.content} ref={content}>
        <div className={classes.toolbar}>
          <TextInput
            className={classes.search}
            type="search"
            aria-label={fr.filter}
            placeholder={narrow ? fr.filterShort : fr.filterPlaceholder}
            value={search}
            maxLength={100}
            onChange={event => filter(event.currentTarget.value)}
            leftSection={<IconSearch size={15} aria-hidden="true" />}
            rightSection={search !== '' && <CloseButton size="sm" aria-label={fr.clear} onClick={() => filter('')} />}
          />
          {narrow && <SectionSelect sections={shown} />}
          <output className={classes.count} aria-live="polite">
            {fr.count(countOperations(shown), all)}
          </output>
        </div>
        {search === '' && <Introduction narrow={narrow} />}
        {shown.length === 0 && <EmptyState title={fr.nothing}>{fr.nothingText}</EmptyState>}
        {shown.map(section => (
          <SectionCard key={section.name} section={section} reference={reference} />
        ))}
      </div>
    </div>
  )
}

/** The filter lives in the address; an anchor to an operation that it hides lifts it. */
const useFilter = (sections: readonly Section[]) => {
  const [params, setParams] = useSearchParams()
  const { hash } = useLocation()
  const [search, setText] = useState(params.get('q') ?? '')
  const setSearch = (text: string): void => {
    setText(text)
    setParams(text === '' ? {} : { q: text }, { replace: true, preventScrollReset: true })
  }
  const shown = useMemo(() => filterSections(sections, search), [sections, search])
  const target = decodeURIComponent(hash.slice(1))
  const holds = (list: readonly Section[]) => list.some(section => section.operations.some(one => one.id === target))
  const hidden = target !== '' && !holds(shown) && holds(sections)
  useEffect(() => {
    if (hidden) setText('')
  }, [target])
  return { search, setSearch, shown }
}

const SectionCard = ({ section, reference }: { readonly section: Section; readonly reference: Reference }) => (
  <section className={classes.section} id={`section-${section.name}`} aria-labelledby={`title-${section.name}`}>
    <header className={classes.sectionHead}>
      <h2 className={classes.sectionTitle} id={`title-${section.name}`}>
        {section.name}
      </h2>
      <p className={classes.sectionText}>{section.description}</p>
      <span className={classes.sectionCount}>{fr.operations(section.operations.length)}</span>
    </header>
    {section.operations.map(operation => (
      <OperationCard key={operation.id} operation={operation} schemas={reference.schemas} />
    ))}
  </section>
)
