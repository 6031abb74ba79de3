import { Button } from '@mantine/core'
import { IconFileUnknown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../lib/http.ts'
import { Card, EmptyState, ErrorState, LoadingState } from './page.tsx'

interface RecordProps<T> {
  /** Asks for it; what it answers stays shown while it is asked again. */
  readonly query: { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown }
  /** About as much as the page will be high. */
  readonly height: number
  /** What is said of one that does not exist, rather than an error. */
  readonly missing?: ReactNode
  readonly children: (record: T) => ReactNode
}

/** One record by its id: while it is loaded, when that failed, and itself. */
export const RecordView = <T,>({ query: { data, error, refetch }, height, missing, children }: RecordProps<T>) => {
  if (missing !== undefined && error instanceof ApiError && error.status === 404) return missing
  if (data !== undefined) return children(data)
  return error === null ? <LoadingState height={height} /> : <ErrorState error={error} onRetry={() => void refetch()} />
}

interface MissingRecordProps {
  readonly words: { readonly notFoundTitle: string; readonly notFoundText: string; readonly toList: string }
  /** Path of the list of those that do exist. */
  readonly list: string
}

/** Stands for a record that does not exist, and leads to those that do. */
export const MissingRecord = ({ words, list }: MissingRecordProps) => (
  <Card>
    <EmptyState
      title={words.notFoundTitle}
      icon={<IconFileUnknown size={28} stroke={1.6} />}
      action={
        <Button component={Link} variant="default" to={list}>
          {words.toList}
        </Button>
      }
    >
      {words.notFoundText}
    </EmptyState>
  </Card>
)
