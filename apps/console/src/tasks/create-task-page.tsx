import { NativeSelect } from '@mantine/core'
import { placeId } from '@switchboard/contract/places'
import type { Frequency } from '@switchboard/contract/tasks/schedule'
import { TASK_FIELDS_REQUIRED, type TaskPlace } from '@switchboard/contract/tasks'
import { type ScheduleName, scheduleName } from '@switchboard/contract/tasks/schedule-names'
import { useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { ButtonLink } from '#src/ui/page/button-link.tsx'
import formCss from '#src/ui/form/form.module.css'
import { Notice } from '#src/ui/page/notice.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { SampleMapsNotice } from '#src/places/sample-maps-notice.tsx'
import { SubmitButton } from '#src/ui/form/submit-button.tsx'
import { fieldErrors, messageOf } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import { type ChosenTenant, TenantSelect } from '#src/tenants/tenant-select.tsx'
import { FrequencyField } from './frequency-field.tsx'
import { PlaceField, PlaceLookUp } from '#src/places/place-field.tsx'
import { samePlaceError } from './same-place-error.tsx'
import { SCHEDULE_LABELS } from './schedule-labels.ts'
import { useCreateTask } from './tasks.api.ts'

const FAILED = 'Failed to create task. Please try again.' // spec §8

/** Schedules something for a tenant (spec §2, Create task). */
export function CreateTaskPage() {
  const navigate = useNavigate()
  const creation = useCreateTask()
  const [schedule, setSchedule] = useState<ScheduleName | null>('pull_google_review')
  const [frequency, setFrequency] = useState<Frequency | null>(null)
  const [tenant, setTenant] = useState<ChosenTenant | null>(null)
  const [place, setPlace] = useState<TaskPlace>({ place_id: '' })
  const [isLookingUp, setIsLookingUp] = useState(false)
  const [isChecked, setIsChecked] = useState(false)
  const [now] = useState(() => new Date().toISOString())
  const errors = fieldErrors(creation.error)
  const samePlace = samePlaceError(creation.error)
  const isMissing = schedule === null || frequency === null || tenant === null
  const placeProblem = placeId.safeParse(place.place_id).error?.issues[0]?.message

  // What the server said stands until something changes.
  const edited = () => creation.isError && creation.reset()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsChecked(true)
    if (isMissing || placeProblem !== undefined || creation.isPending) return
    creation.mutate(
      { tenant_id: tenant.id, schedule_name: schedule, frequency, extra_data: place },
      {
        onSuccess: (task) => {
          notify('ok', `Task "${SCHEDULE_LABELS[task.schedule_name]}" for ${task.tenant_name} was created.`)
          void navigate({ to: '/tasks' })
        },
      },
    )
  }

  function takePlace(found: TaskPlace) {
    setPlace(found)
    setIsLookingUp(false)
    edited()
  }

  return (
    <Page title="New Task" subtitle="A job that runs on a schedule for one tenant.">
      <form className={formCss.card} onSubmit={submit} noValidate>
        <SampleMapsNotice />
        {isChecked && isMissing && <Notice tone="bad">{TASK_FIELDS_REQUIRED}</Notice>}
        {creation.isError && samePlace === null && Object.keys(errors).length === 0 && (
          <Notice tone="bad">{messageOf(creation.error, FAILED)}</Notice>
        )}
        <NativeSelect
          label="Task Schedule"
          value={schedule ?? ''}
          data={[
            { value: '', label: 'Choose a task', disabled: true },
            { value: 'pull_google_review', label: SCHEDULE_LABELS.pull_google_review },
          ]}
          error={errors.schedule_name ?? (isChecked && schedule === null)}
          required
          onChange={(event) => {
            setSchedule(scheduleName.safeParse(event.currentTarget.value).data ?? null)
            edited()
          }}
        />
        <FrequencyField
          value={frequency}
          anchor={now}
          now={now}
          error={errors.frequency ?? (isChecked && frequency === null)}
          onChange={(chosen) => {
            setFrequency(chosen)
            edited()
          }}
        />
        <TenantSelect
          label="Tenant"
          placeholder="Search name or subdomain"
          value={tenant}
          error={errors.tenant_id ?? (isChecked && tenant === null)}
          required
          onChange={(chosen) => {
            setTenant(chosen)
            edited()
          }}
        />
        {schedule === 'pull_google_review' && (
          <PlaceField
            value={place}
            error={(isChecked && placeProblem) || (samePlace ?? errors['extra_data.place_id'])}
            busy={creation.isPending}
            onChange={(chosen) => {
              setPlace(chosen)
              edited()
            }}
            onLookUp={() => setIsLookingUp(true)}
          />
        )}
        <div className={formCss.buttons}>
          <ButtonLink to="/tasks" variant="default" disabled={creation.isPending}>
            Cancel
          </ButtonLink>
          <SubmitButton loading={creation.isPending}>Create Task</SubmitButton>
        </div>
      </form>
      {isLookingUp && (
        <PlaceLookUp
          tenantName={tenant?.name ?? ''}
          query={place.query}
          onFound={takePlace}
          onCancel={() => setIsLookingUp(false)}
        />
      )}
    </Page>
  )
}
