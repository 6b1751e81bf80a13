import { taskConflict } from '@switchboard/contract/tasks'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CallError, messageOf } from '#src/lib/call-error.ts'
import css from '#src/places/place-field.module.css'

/** Error of the place field for a duplicate task, with a link to the existing task; otherwise null. */
export function samePlaceError(error: unknown): ReactNode {
  if (!(error instanceof CallError) || error.status !== 409) return null
  const taskId = taskConflict.safeParse(error.body).data?.task_id
  if (taskId === undefined) return null
  return (
    <>
      {messageOf(error, 'The tenant has a task for this place.')}{' '}
      <Link to="/tasks/$taskId" params={{ taskId }} className={css.other}>
        Open that task
      </Link>
    </>
  )
}
