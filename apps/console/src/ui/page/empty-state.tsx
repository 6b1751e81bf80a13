import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messagesOf } from '#src/lib/call-error.ts'
import { focusContainer } from '#src/ui/dialog/use-focus-return.ts'
import css from './empty-state.module.css'

type Props = {
  title: string
  help?: string
  action?: ReactNode
  /** Inside a card with a border. */
  plain?: boolean
}

/** Empty state: title, help and action. */
export function EmptyState({ title, help, action, plain = false, isError = false }: Props & { isError?: boolean }) {
  return (
    <div className={`${css.state} ${plain ? '' : css.card}`} {...(isError && { role: 'alert' })}>
      <p className="strong">{title}</p>
      {help && <p className={css.help}>{help}</p>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  )
}

type ErrorProps = { title: string; message: string; plain?: boolean; retryLabel?: string; onRetry: () => void }

/** Error state of a list. */
export function ErrorState({ title, message, plain = false, retryLabel = 'Try Again', onRetry }: ErrorProps) {
  const retry = (
    <Button
      variant="default"
      onClick={({ currentTarget }) => {
        focusContainer(currentTarget)
        onRetry()
      }}
    >
      {retryLabel}
    </Button>
  )
  return <EmptyState title={title} help={message} plain={plain} action={retry} isError />
}

type LoadErrorProps = {
  title: string
  queries: readonly Pick<UseQueryResult, 'error' | 'refetch'>[]
  plain?: boolean
}

/** Error state of failed queries, with the messages of all and a retry of all. */
export function LoadError({ title, queries, plain = false }: LoadErrorProps) {
  const errors = queries.map(({ error }) => error)
  function retry() {
    for (const { refetch } of queries) void refetch()
  }
  return <ErrorState title={title} message={messagesOf(errors, 'An error occurred')} plain={plain} onRetry={retry} />
}
