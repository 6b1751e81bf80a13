import { NativeSelect } from '@mantine/core'
import type { ApiKey } from '@switchboard/contract/api-keys'
import { longerGraces } from './key-rotation-labels.ts'
import { useExtendGrace } from '#src/api-keys/api-keys.api.ts'
import { TestBadge } from '#src/api-keys/settings/test-badge.tsx'
import { momentText } from '#src/lib/format/moment.ts'
import { notify } from '#src/lib/notify.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'

/** Extends the grace period of a replaced key for which `extensionProblem` returns null. */
export function ExtendGraceDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const extension = useExtendGrace()
  const longer = longerGraces(apiKey)
  const form = useFormFrame({
    initialValues: { grace_seconds: String(longer[0]?.seconds) },
    send: async ({ grace_seconds }) => extension.mutateAsync({ apiKey, grace_seconds: Number(grace_seconds) }),
    onSaved: () => {
      onClose()
      notify('ok', `The grace of ${apiKey.name} was extended.`)
    },
    failure: 'Failed to extend the grace.',
  })
  const chosen = longer.find(({ seconds }) => String(seconds) === form.values.grace_seconds)

  return (
    <DialogForm title="Extend Grace" size="sm" form={form} submit="Extend" submitting="Processing..." onClose={onClose}>
      <p>
        <TestBadge apiKey={apiKey} /> The old key now works until{' '}
        {momentText(apiKey.grace_ends_at ?? apiKey.created_at)}.
      </p>
      <NativeSelect
        label="Grace period, from the rotation"
        data={longer.map(({ seconds, label }) => ({ value: String(seconds), label }))}
        data-autofocus
        {...form.getInputProps('grace_seconds')}
      />
      {chosen && <p>New end: {momentText(new Date(chosen.end).toISOString())}.</p>}
    </DialogForm>
  )
}
