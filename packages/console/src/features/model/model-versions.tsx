import { Button, Text } from '@mantine/core'
import type { ModelVersion, MonitoringModel } from '@narval/contracts'
import { IconArrowBackUp, IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { readableDefinitionsQuery } from '../../lib/custom-field-queries.ts'
import { Card, EmptyState, ErrorState, LoadingState } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { type ComparedModel, modelChanges } from './model-diff.ts'
import { versionsQuery } from './model-queries.ts'
import classes from './model-versions.module.css'

const { versions: words } = fr

interface ModelVersionsProps {
  readonly model: MonitoringModel
  /** Goes back to the last former version; null for a reader. */
  readonly onUndo: (() => void) | null
}

/** The server keeps so many: the oldest of them is then no creation. */
const MOST_VERSIONS = 50

interface Version extends ComparedModel {
  readonly key: number
  readonly at: string
  readonly by: string | null
}

/** A former version says when and by whom it was replaced, which is when its successor was made; the newest first. */
const madeAt = (model: MonitoringModel, former: readonly ModelVersion[]): Version[] =>
  [{ ...model, key: 0 }, ...former.map(version => ({ ...version, key: version.id }))].map((version, index) => ({
    ...version,
    at: former[index]?.at ?? model.createdAt,
    by: former[index]?.by ?? null,
  }))

/** The changes of a model, the newest first: who, when, and what it changed in words. */
export const ModelVersions = ({ model, onUndo }: ModelVersionsProps) => {
  const { data, error, refetch } = useQuery(versionsQuery(model))
  const fields = useQuery(readableDefinitionsQuery).data ?? []
  if (data === undefined)
    return error === null ? <LoadingState /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const versions = madeAt(model, data)
  if (data.length === 0)
    return (
      <Card>
        <EmptyState title={words.current} icon={<IconHistory size={28} stroke={1.6} />}>
          {words.emptyText}
        </EmptyState>
      </Card>
    )
  return (
    <Card>
      <ol className={classes.list}>
        {versions.map((version, index) => {
          const before = versions[index + 1]
          return (
            <li key={version.key} className={classes.version}>
              <div className={classes.head}>
                {index === 0 && <span className={classes.current}>{words.current}</span>}
                <span>
                  <Ago at={version.at} /> {version.by !== null && words.changedBy(version.by)}
                </span>
                {index === 1 && onUndo !== null && (
                  <Button
                    variant="default"
                    size="compact-sm"
                    leftSection={<IconArrowBackUp size={14} />}
                    onClick={onUndo}
                  >
                    {words.back}
                  </Button>
                )}
              </div>
              {before === undefined ? (
                <Text size="sm" c="dimmed">
                  {data.length < MOST_VERSIONS ? words.created : words.first}
                </Text>
              ) : (
                <Changes lines={modelChanges(before, version, fields)} />
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

const Changes = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.length === 0 ? (
    <Text size="sm" c="dimmed">
      {words.sameAs}
    </Text>
  ) : (
    <ul className={classes.changes}>
      {lines.map(line => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
