import { NativeSelect } from '@mantine/core'
import { type LogSinkKind, logSinkKind } from '@switchboard/contract/signals/log-sinks'
import { notify } from '#src/lib/notify.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { LogSinkFields, problemsOf, SINK_INPUTS, type SinkDraft, typedSecret } from './log-sink-fields.tsx'
import { KIND_LABELS } from './log-sink-labels.ts'
import { useCreateLogSink } from './log-shipping.api.ts'

type Draft = SinkDraft & { kind: LogSinkKind; from: 'oldest' | 'now' }

/** Creates a log sink, which is on at once. */
export function CreateLogSinkDialog({ onClose }: { onClose: () => void }) {
  const creation = useCreateLogSink()
  const initialValues: Draft = {
    kind: 'otlp',
    from: 'oldest',
    name: '',
    address: '',
    certificate_authority: '',
    secret: '',
    removesSecret: false,
  }
  const form = useFormFrame({
    initialValues,
    validate: (draft) => problemsOf(draft.kind, draft),
    inputs: SINK_INPUTS,
    send: (draft) => {
      const { kind, from, name, address, certificate_authority } = draft
      if (kind === 'file') return creation.mutateAsync({ kind, from, name })
      return creation.mutateAsync({
        kind,
        from,
        name,
        address,
        ...(certificate_authority.trim() !== '' && { certificate_authority }),
        ...typedSecret(kind, draft),
      })
    },
    onSaved: ({ name }) => {
      onClose()
      notify('ok', `${name} was created. Send a test record to try it.`)
    },
    failure: 'Failed to create log sink.',
  })
  const { kind } = form.values
  return (
    <DialogForm title="New Log Sink" size="lg" form={form} submit="Create Log Sink" onClose={onClose}>
      <NativeSelect
        label="Kind"
        data={logSinkKind.options.map((value) => ({ value, label: KIND_LABELS[value] }))}
        data-autofocus
        {...form.getInputProps('kind')}
      />
      <LogSinkFields kind={kind} form={form} />
      <NativeSelect
        label="First entry"
        description="With AUDIT_RETENTION, a month is deleted only if a log sink has it from its first entry on."
        data={[
          { value: 'oldest', label: 'The oldest in the audit log' },
          { value: 'now', label: 'The next one' },
        ]}
        {...form.getInputProps('from')}
      />
    </DialogForm>
  )
}
