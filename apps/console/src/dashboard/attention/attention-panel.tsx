import { Button } from '@mantine/core'
import type { Attention } from '@switchboard/contract/dashboard'
import type { UseQueryResult } from '@tanstack/react-query'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { focusContainer } from '#src/ui/dialog/use-focus-return.ts'
import { messageOf } from '#src/lib/call-error.ts'
import { AttentionKinds } from './attention-kinds.tsx'
import css from './attention-panel.module.css'
import { Section } from '#src/ui/card/section.tsx'

type Props = {
  query: UseQueryResult<Attention>
  /** The tenant of the page: links lead to its tabs. */
  tenantId?: string
}

/** Problems by kind, each with a link to its list and a link per record to the screen with the fix. */
export function AttentionPanel({ query, tenantId }: Props) {
  return (
    <Section title="Needs attention">
      <div className={css.card} aria-busy={query.isPending}>
        {query.data && query.isError && <NotRefreshed query={query} />}
        {query.data !== undefined ? (
          <AttentionKinds attention={query.data} tenantId={tenantId} />
        ) : query.isError ? (
          <LoadError plain title="The records that need attention could not be loaded" queries={[query]} />
        ) : (
          <AttentionSkeleton count={tenantId === undefined ? 2 : 1} />
        )}
      </div>
    </Section>
  )
}

/** Placeholder of `count` kinds. */
function AttentionSkeleton({ count }: { count: number }) {
  return (
    <ul aria-hidden>
      {Array.from({ length: count }, (_, n) => (
        <li key={n} className={css.kind}>
          <span className={css.dot} />
          <span className={css.line} />
        </li>
      ))}
    </ul>
  )
}

function NotRefreshed({ query }: Pick<Props, 'query'>) {
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
