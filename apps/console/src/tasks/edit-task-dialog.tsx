import { Button } from '@mantine/core'
import { placeId } from '@switchboard/contract/places'
import { type StaleTask, staleTask, type Task, type TaskPlace } from '@switchboard/contract/tasks'
import { type SubmitEvent, useId, useState } from 'react'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { CallError, fieldErrors, messageOf } from '#src/lib/call-error.ts'
import { relativeText } from '#src/lib/moment.ts'
import { notify } from '#src/lib/notify.ts'
import css from './edit-task-dialog.module.css'
import { FrequencyField } from './frequency-field.tsx'
import { PlaceField, PlaceLookUp } from '#src/places/place-field.tsx'
import { samePlaceError } from './same-place-error.tsx'
import { SCHEDULE_LABELS } from './schedule-labels.ts'
import { useUpdateTask } from './tasks.api.ts'

type Props = {
  task: Task
  /** Whether it begins with looking the place up. */
  looksUp: boolean
  onClose: () => void
}

/** Changes how often a task runs and of which place it pulls the reviews. */
export function EditTaskDialog({ task, looksUp, onClose }: Props) {
  const formId = useId()
  const update = useUpdateTask()
  // What the change is based on: the task as it was opened, until somebody else's change is loaded.
  const [base, setBase] = useState(task)
  const [frequency, setFrequency] = useState<Task['frequency'] | null>(task.frequency)
  const [place, setPlace] = useState(task.extra_data)
  const [isLookingUp, setIsLookingUp] = useState(looksUp)
  const [isChecked, setIsChecked] = useState(false)
  const [now] = useState(() => new Date().toISOString())
  const placeProblem = placeId.safeParse(place.place_id).error?.issues[0]?.message
  const errors = fieldErrors(update.error)
  const samePlace = samePlaceError(update.error)
  const stale = staleOf(update.error)

  function save(over: Task) {
    setIsChecked(true)
    if (placeProblem !== undefined || frequency === null || update.isPending) return
    update.mutate(
      { task: over, body: { frequency, extra_data: place } },
      {
        onSuccess: () => {
          onClose()
          notify('ok', `Task "${SCHEDULE_LABELS[task.schedule_name]}" for ${task.tenant_name} was changed.`)
        },
      },
    )
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    save(base)
  }

  function loadTheirs({ current }: StaleTask) {
    setBase(current)
    setFrequency(current.frequency)
    setPlace(current.extra_data)
    update.reset()
  }

  function takePlace(found: TaskPlace) {
    setPlace(found)
    setIsLookingUp(false)
  }

  if (isLookingUp) {
    return (
      <PlaceLookUp
        tenantName={task.tenant_name}
        query={place.query ?? base.extra_data.query}
        onFound={takePlace}
        onCancel={() => (looksUp && place === base.extra_data ? onClose() : setIsLookingUp(false))}
      />
    )
  }
  return (
    <Dialog title="Edit Task" busy={update.isPending} onClose={onClose}>
      <DialogMain>
        <form id={formId} className={css.fields} onSubmit={submit} noValidate>
          {stale ? (
            <Notice tone="warn">
              {stale.changed_by ?? 'Another admin'} changed this task{' '}
              {stale.changed_at === null ? 'meanwhile' : relativeText(stale.changed_at)}.
              <div className={css.choices}>
                <Button variant="default" size="compact-md" onClick={() => loadTheirs(stale)}>
                  Reload
                </Button>
                <Button variant="default" size="compact-md" onClick={() => save(stale.current)}>
                  Keep mine
                </Button>
              </div>
            </Notice>
          ) : (
            update.isError &&
            samePlace === null &&
            Object.keys(errors).length === 0 && (
              <Notice tone="bad">{messageOf(update.error, 'Failed to update task')}</Notice>
            )
          )}
          <FrequencyField value={frequency} anchor={task.created_at} now={now} onChange={setFrequency} />
          <PlaceField
            value={place}
            error={(isChecked && placeProblem) || (samePlace ?? errors['extra_data.place_id'])}
            busy={update.isPending}
            onChange={setPlace}
            onLookUp={() => setIsLookingUp(true)}
          />
        </form>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" disabled={update.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" form={formId} disabled={update.isPending}>
          {update.isPending ? 'Updating...' : 'Save changes'}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function staleOf(error: unknown): StaleTask | null {
  if (!(error instanceof CallError) || error.status !== 412) return null
  return staleTask.safeParse(error.body).data ?? null
}
