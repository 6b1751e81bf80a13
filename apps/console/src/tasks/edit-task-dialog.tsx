import { placeId } from '@switchboard/contract/places/place-id'
import { staleTask, type Task, type TaskPlace } from '@switchboard/contract/tasks'
import { taskName } from '@switchboard/contract/tasks/task-name'
import type { Frequency } from '@switchboard/contract/tasks/schedule'
import { useState } from 'react'
import { notify } from '#src/lib/notify.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { PlaceField, PlaceLookUp } from '#src/places/place-field.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { type ComparedField, differences } from '#src/ui/form/differences.ts'
import { RecordConflict } from '#src/ui/form/record-conflict.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { FrequencyField } from '#src/tasks/schedule/frequency-field.tsx'
import { samePlaceErrors } from './same-place-error.tsx'
import { FREQUENCY_LABELS } from './task-labels.ts'
import { useUpdateTask } from './tasks.api.ts'
import { TimeFields } from '#src/tasks/schedule/time-fields.tsx'

type Draft = { frequency: Frequency | null; run_time: string | null; time_zone: string | null; extra_data: TaskPlace }
type Props = {
  task: Task
  /** Begins with the place look-up. */
  looksUp: boolean
  onClose: () => void
}

/** Edits the frequency, the time and the place of a task. */
export function EditTaskDialog({ task, looksUp, onClose }: Props) {
  const update = useUpdateTask()
  const [isLookingUp, setIsLookingUp] = useState(looksUp)
  const [now] = useState(() => new Date(serverNow()).toISOString())
  const form = useFormFrame({
    initialValues: draftOf(task),
    validate: ({ extra_data }) => ({
      extra_data: placeId.safeParse(extra_data.place_id).error?.issues[0]?.message,
    }),
    record: task,
    about: { id: task.id, noun: 'task' },
    stale: staleTask,
    send: ({ frequency, ...values }, latest) =>
      update.mutateAsync({ task: latest ?? task, body: { ...(frequency && { frequency }), ...values } }),
    errorsOf: samePlaceErrors,
    onSaved: () => {
      onClose()
      notify('ok', `${taskName(task)} was changed.`)
    },
    failure: 'Failed to update task',
  })
  const place = form.control('extra_data')

  if (isLookingUp) {
    return (
      <PlaceLookUp
        tenantName={task.tenant_name}
        query={place.value.query ?? (form.latest ?? task).extra_data.query}
        onFound={(found) => {
          place.onChange(found)
          setIsLookingUp(false)
        }}
        onCancel={() => (looksUp && !form.isDirty() ? onClose() : setIsLookingUp(false))}
      />
    )
  }
  return (
    <DialogForm title="Edit Task" form={form} submit="Save Changes" submitting="Updating..." onClose={onClose}>
      <RecordConflict
        form={form}
        draftOf={draftOf}
        differencesTo={(saved) => differences(FIELDS, draftOf(saved), form.values)}
      />
      <FrequencyField
        schedule={{ ...form.values, created_at: task.created_at }}
        now={now}
        {...form.control('frequency')}
      />
      <TimeFields time={form.control('run_time')} zone={form.control('time_zone')} />
      <PlaceField onLookUp={() => setIsLookingUp(true)} {...place} />
    </DialogForm>
  )
}

function draftOf({ frequency, run_time, time_zone, extra_data }: Task): Draft {
  return { frequency, run_time, time_zone, extra_data }
}

const FIELDS: ComparedField<Draft>[] = [
  { label: 'Frequency', text: ({ frequency }) => (frequency === null ? '' : FREQUENCY_LABELS[frequency]) },
  { label: 'Time of day', text: ({ run_time }) => run_time ?? 'Time of creation' },
  { label: 'Time zone', text: ({ time_zone }) => time_zone ?? '' },
  { label: 'Google Place ID', text: ({ extra_data }) => extra_data.place_id },
  { label: 'Place', text: ({ extra_data }) => extra_data.place_name ?? '' },
]
