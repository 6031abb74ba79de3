import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { Card, ErrorState, LoadingState } from './page.tsx'

interface EditorPageProps<T> {
  /** Kind and id of the record. */
  readonly record: readonly [kind: string, id: number]
  readonly load: (signal: AbortSignal) => Promise<T>
  readonly children: (record: T) => ReactNode
}

/** Loads the record that a form edits, fresh and once: what is typed must not be replaced under one's fingers. */
export const EditorPage = <T,>({ record, load, children }: EditorPageProps<T>) => {
  const { data, error, refetch } = useQuery({
    // Apart from the queries that pages share: nobody invalidates it.
    queryKey: ['editor', ...record],
    queryFn: ({ signal }) => load(signal),
    staleTime: 'static',
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (data !== undefined) return <div key={record.join('/')}>{children(data)}</div>
  return error === null ? <LoadingState height={400} /> : <Failed error={error} onRetry={() => void refetch()} />
}

const Failed = (props: ComponentProps<typeof ErrorState>) => (
  <Card>
    <ErrorState {...props} />
  </Card>
)
