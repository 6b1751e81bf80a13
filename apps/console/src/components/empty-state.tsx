import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './empty-state.module.css'

type Props = { title: string; help?: string; action?: ReactNode }

/** In place of a list that has no rows: what is so, one line of help, what to do about it. */
export function EmptyState({ title, help, action }: Props) {
  return (
    <div className={css.state}>
      <p className={css.title}>{title}</p>
      {help && <p className={css.help}>{help}</p>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  )
}

/** In place of a list that could not be loaded. */
export function ErrorState({ title, message, onRetry }: { title: string; message: string; onRetry: () => void }) {
  return (
    <div className={css.state} role="alert">
      <p className={css.title}>{title}</p>
      <p className={css.help}>{message}</p>
      <div className={css.action}>
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </div>
  )
}
