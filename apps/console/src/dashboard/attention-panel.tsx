import { Button } from '@mantine/core'
import type { Attention } from '@switchboard/contract/analytics'
import { IconCircleCheck } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '#src/components/empty-state.tsx'
import { Notice } from '#src/components/notice.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { attentionGroups } from './attention-groups.tsx'
import css from './attention-panel.module.css'
import { Section } from './section.tsx'

type Props = { query: UseQueryResult<Attention> }

/** What somebody should see to, each kind leading to its list and each record to where it is mended. */
export function AttentionPanel({ query }: Props) {
  return (
    <Section title="Needs attention">
      <div className={css.card} aria-busy={query.isPending}>
        {query.data ? (
          <>
            {query.isError && <NotRefreshed query={query} />}
            <Groups attention={query.data} />
          </>
        ) : query.isError ? (
          <ErrorState
            plain
            title="What needs attention could not be loaded"
            message={messageOf(query.error, 'An error occurred')}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <AttentionSkeleton />
        )}
      </div>
    </Section>
  )
}

function NotRefreshed({ query }: Props) {
  return (
    <div className={css.failed}>
      <Notice tone="bad">
        What needs attention could not be refreshed. {messageOf(query.error, 'An error occurred')}
      </Notice>
      <Button variant="default" size="compact-md" loading={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  )
}

function Groups({ attention }: { attention: Attention }) {
  const groups = attentionGroups(attention)
  if (groups.length === 0) {
    return (
      <p className={css.fine}>
        <IconCircleCheck size={18} aria-hidden />
        Nothing needs attention.
      </p>
    )
  }
  return (
    <ul>
      {groups.map(({ kind, tone, Icon, title, first }) => (
        <li key={kind} className={css.group}>
          <Icon size={18} aria-hidden className={css[tone]} />
          <div className={css.title}>{title}</div>
          <ul className={css.named}>
            {first.map(({ id, link, about }) => (
              <li key={id} className={css.record}>
                {link}
                <span className={css.about} data-tooltip="cut">
                  {about}
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

/** In the shape of two kinds. */
export function AttentionSkeleton(): ReactNode {
  return (
    <ul aria-hidden>
      {[0, 1].map((n) => (
        <li key={n} className={css.group}>
          <span className={css.dot} />
          <span className={css.line} />
          <span className={css.line} />
        </li>
      ))}
    </ul>
  )
}
