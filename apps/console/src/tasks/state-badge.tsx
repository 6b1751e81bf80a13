import { Loader } from '@mantine/core'
import type { Task } from '@switchboard/contract/tasks'
import { Badge } from '#src/ui/badge/badge.tsx'
import css from './state-badge.module.css'
import { STATE_BADGES, stateOf, stateReason } from './task-labels.ts'

/** The state of a task, with the reason in the tooltip. */
export function StateBadge({ task }: { task: Task }) {
  if (task.deleted_at !== null) return <Badge tone="neutral" text="Deleted" dot />
  const state = stateOf(task)
  if (state === 'running') {
    return (
      <span className={css.running}>
        <Loader size={14} aria-hidden /> {STATE_BADGES[state].text}
      </span>
    )
  }
  return (
    <span data-tooltip={stateReason(task) ?? ''}>
      <Badge {...STATE_BADGES[state]} dot />
    </span>
  )
}
