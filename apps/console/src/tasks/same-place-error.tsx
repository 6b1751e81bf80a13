import type { FormErrors } from '@mantine/form'
import { taskConflict } from '@switchboard/contract/tasks'
import { Link } from '@tanstack/react-router'
import { CallError, messageOf } from '#src/lib/call-error.ts'
import css from './same-place-error.module.css'

/** The error of the place field for a duplicate task, with a link to the existing task. */
export function samePlaceErrors(error: unknown): FormErrors {
  if (!(error instanceof CallError) || error.status !== 409) return {}
  const taskId = taskConflict.safeParse(error.body).data?.task_id
  if (taskId === undefined) return {}
  return {
    extra_data: (
      <>
        {messageOf(error, 'The tenant has a task for this place.')}{' '}
        {/* Without a question: the unsaved task would be a duplicate. */}
        <Link to="/tasks/$taskId" params={{ taskId }} ignoreBlocker className={css.other}>
          Open that task
        </Link>
      </>
    ),
  }
}
