import { Button, Drawer } from '@mantine/core'
import type { FieldDefinition } from '@narval/contracts'
import { IconArrowRight } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { customField as words } from '../i18n/custom-field.ts'
import { shownText } from '../lib/custom-field.ts'
import { FIELD_KEY, type FieldOwner, fieldHistory } from '../lib/custom-field-queries.ts'
import { EmptyState, NotLoaded } from './page.tsx'
import classes from './record-fields.module.css'
import { Ago } from './time.tsx'

interface HistoryProps extends FieldOwner {
  readonly name: string
  /** Of the fields that may be read: they say how values are written. */
  readonly definitions: readonly FieldDefinition[]
}
interface DrawerProps extends HistoryProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Who changed which field of a record, from what to what, the newest first. */
export const FieldHistoryDrawer = ({ opened, onClose, ...record }: DrawerProps) => (
  <Drawer
    opened={opened}
    onClose={onClose}
    position="right"
    size={440}
    title={<strong>{words.historyTitle(record.name)}</strong>}
  >
    <History {...record} />
  </Drawer>
)

/** Changes of one answer: fewer of them are the last. */
const PAGE = 100
const fromNewest = (): number | null => null

const History = ({ scope, id, definitions }: HistoryProps) => {
  const textOf = (key: string, text: string | null): string => {
    const definition = definitions.find(one => one.key === key)
    if (text === null || text === '') return words.historyNothing
    return definition === undefined || definition.type === 'secret' ? text : shownText(definition, text)
  }
  const query = useInfiniteQuery({
    queryKey: [FIELD_KEY, 'history', scope, id],
    queryFn: ({ pageParam, signal }) => fieldHistory({ scope, id }, pageParam, signal),
    initialPageParam: fromNewest(),
    getNextPageParam: page => (page.length < PAGE ? null : (page.at(-1)?.id ?? null)),
    staleTime: 0,
    gcTime: 0,
  })
  if (query.data === undefined) return <NotLoaded error={query.error} onRetry={query.refetch} />
  const changes = query.data.pages.flat()
  if (changes.length === 0) return <EmptyState title={words.historyEmpty} />
  return (
    <>
      <ul className={classes.changes}>
        {changes.map(({ id: change, key, label, before, after, at, by }) => (
          <li key={change}>
            <div className={classes.changeHead}>
              <strong>{label}</strong>
              <span>
                <Ago at={at} />
                {by !== null && `, ${words.by(by)}`}
              </span>
            </div>
            <div className={classes.change}>
              {before === null ? (
                <span className={classes.empty}>{words.historyNothing}</span>
              ) : (
                <del title={words.historyFrom}>{textOf(key, before)}</del>
              )}
              <IconArrowRight size={14} aria-hidden />
              <ins title={words.historyTo} className={after === null ? classes.empty : undefined}>
                {textOf(key, after)}
              </ins>
            </div>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button variant="default" mt="md" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {words.historyMore}
        </Button>
      )}
    </>
  )
}
