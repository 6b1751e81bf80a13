import { Button } from '@mantine/core'
import type { Attention } from '@switchboard/contract/dashboard'
import type { UseQueryResult } from '@tanstack/react-query'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { focusContainer } from '#src/ui/dialog/use-focus-return.ts'
import { messageOf } from '#src/lib/call-error.ts'
import { AttentionKinds } from './attention-kinds.tsx'
import css from './attention-panel.module.css'
import { Section } from '#src/ui/page/section.tsx'

type Props = { query: UseQueryResult<Attention> }

/** Problems by kind, each with a link to its list and a link per record to the screen with the fix. */
export function AttentionPanel({ query }: Props) {
  return (
    <Section title="Needs attention">
      <div className={css.card} aria-busy={query.isPending}>
        {query.data && query.isError && <NotRefreshed query={query} />}
        {query.data !== undefined ? (
          <AttentionKinds attention={query.data} />
        ) : query.isError ? (
          <LoadError plain title="The records that need attention could not be loaded" queries={[query]} />
        ) : (
          <AttentionSkeleton />
        )}
      </div>
    </Section>
  )
}

/** Placeholder of two kinds. */
function AttentionSkeleton() {
  return (
    <ul aria-hidden>
      {[0, 1].map((n) => (
        <li key={n} className={css.kind}>
          <span className={css.dot} />
          <span className={css.line} />
        </li>
      ))}
    </ul>
  )
}

function NotRefreshed({ query }: Props) {
  return (
    <div className={css.failed}>
      <Notice tone="bad">
        The records that need attention could not be refreshed. {messageOf(query.error, 'An error occurred')}
      </Notice>
      <Button
        variant="default"
        size="compact-md"
        loading={query.isFetching}
        onClick={({ currentTarget }) => {
          focusContainer(currentTarget)
          void query.refetch()
        }}
      >
        Try again
      </Button>
    </div>
  )
}
