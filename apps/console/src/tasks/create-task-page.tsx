import { NativeSelect } from '@mantine/core'
import { placeId } from '@switchboard/contract/places/place-id'
import { createTaskBody, TASK_FIELDS_REQUIRED, type TaskPlace } from '@switchboard/contract/tasks'
import { taskName } from '@switchboard/contract/tasks/task-name'
import type { Frequency } from '@switchboard/contract/tasks/schedule'
import type { ScheduleName } from '@switchboard/contract/tasks/schedule-names'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { notify } from '#src/lib/notify.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { PlaceField, PlaceLookUp } from '#src/places/place-field.tsx'
import { SampleMapsNotice } from '#src/ui/notice/sample-maps-notice.tsx'
import { type ChosenTenant, TenantSelect } from '#src/tenants/tenant-select.tsx'
import { useTenant } from '#src/tenants/tenants.api.ts'
import { PageForm } from '#src/ui/form/page-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { Page } from '#src/ui/page/page.tsx'
import { FrequencyField } from '#src/tasks/schedule/frequency-field.tsx'
import { samePlaceErrors } from './same-place-error.tsx'
import { SCHEDULE_LABELS } from './task-labels.ts'
import { useCreateTask } from './tasks.api.ts'
import { TimeFields } from '#src/tasks/schedule/time-fields.tsx'

type Draft = {
  schedule_name: ScheduleName | ''
  frequency: Frequency | null
  run_time: string | null
  time_zone: string | null
  tenant: ChosenTenant | null
  extra_data: TaskPlace
}
const EMPTY: Draft = {
  schedule_name: 'pull_google_review',
  frequency: null,
  run_time: null,
  time_zone: null,
  tenant: null,
  extra_data: { place_id: '' },
}

const route = getRouteApi('/signed-in/tasks/create')

/** Schedules a task for a tenant, by default for the tenant in the URL. */
export function CreateTaskPage() {
  const navigate = route.useNavigate()
  const { tenant_id: urlId } = route.useSearch()
  const list =
    urlId === undefined
      ? ({ to: '/tasks' } as const)
      : ({ to: '/tenants/$tenantId/tasks', params: { tenantId: urlId } } as const)
  const urlTenant = useTenant(urlId) ?? null
  const creation = useCreateTask()
  const [isLookingUp, setIsLookingUp] = useState(false)
  const [now] = useState(() => new Date(serverNow()).toISOString())
  const form = useFormFrame({
    initialValues: EMPTY,
    validate: (values) => errorsOfEntry({ ...values, tenant: values.tenant ?? urlTenant }),
    inputs: { tenant_id: 'tenant' },
    send: async ({ tenant: chosen, ...values }) =>
      creation.mutateAsync(createTaskBody.parse({ ...values, tenant_id: (chosen ?? urlTenant)?.id })),
    errorsOf: samePlaceErrors,
    onSaved: async (task) => {
      await navigate(list)
      notify('ok', `${taskName(task)} was created.`)
    },
    failure: 'Failed to create task. Please try again.',
  })
  const { schedule_name, run_time, time_zone, extra_data: place } = form.values
  const tenant = form.values.tenant ?? urlTenant

  return (
    <Page title="New Task" subtitle="A job that runs on a schedule for one tenant.">
      <PageForm form={form} submit="Create Task" cancel={list}>
        <SampleMapsNotice />
        <TenantSelect label="Tenant" required {...form.control('tenant')} value={tenant} />
        <NativeSelect
          label="Task Schedule"
          data={[
            { value: '', label: 'Choose a task', disabled: true },
            { value: 'pull_google_review', label: SCHEDULE_LABELS.pull_google_review },
          ]}
          required
          {...form.getInputProps('schedule_name')}
        />
        <FrequencyField schedule={{ created_at: now, run_time, time_zone }} now={now} {...form.control('frequency')} />
        <TimeFields time={form.control('run_time')} zone={form.control('time_zone')} />
        {schedule_name === 'pull_google_review' && (
          <PlaceField onLookUp={() => setIsLookingUp(true)} {...form.control('extra_data')} />
        )}
      </PageForm>
      {isLookingUp && (
        <PlaceLookUp
          tenantName={tenant?.name ?? ''}
          query={place.query}
          onFound={(found) => {
            form.control('extra_data').onChange(found)
            setIsLookingUp(false)
          }}
          onCancel={() => setIsLookingUp(false)}
        />
      )}
    </Page>
  )
}

function errorsOfEntry({ schedule_name, frequency, tenant, extra_data }: Draft) {
  const missing = { schedule_name: schedule_name === '', frequency: frequency === null, tenant: tenant === null }
  return {
    ...(Object.values(missing).includes(true) && { '': TASK_FIELDS_REQUIRED }),
    ...missing,
    extra_data: placeId.safeParse(extra_data.place_id).error?.issues[0]?.message,
  }
}
