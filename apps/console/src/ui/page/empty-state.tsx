import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './empty-state.module.css'
import { focusContainer } from '#src/ui/dialog/use-focus-return.ts'

type Props = {
  title: string
  help?: string
  action?: ReactNode
  /** Inside a card with a border. */
  plain?: boolean
}

/** Empty state: title, help and action. */
export function EmptyState({ title, help, action, plain = false }: Props) {
  return (
    <div className={`${css.state} ${plain ? '' : css.card}`}>
      <p className={css.title}>{title}</p>
      {help && <p className={css.help}>{help}</p>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  )
}

type ErrorProps = { title: string; message: string; plain?: boolean; retryLabel?: string; onRetry: () => void }

/** Error state of a list. */
export function ErrorState({ title, message, plain = false, retryLabel = 'Try again', onRetry }: ErrorProps) {
  return (
    <div className={`${css.state} ${plain ? '' : css.card}`} role="alert">
      <p className={css.title}>{title}</p>
      <p className={css.help}>{message}</p>
      <div className={css.action}>
        <Button
          variant="default"
          onClick={({ currentTarget }) => {
            focusContainer(currentTarget)
            onRetry()
          }}
        >
          {retryLabel}
        </Button>
      </div>
    </div>
  )
}
