import { type LogSink, staleLogSink } from '@switchboard/contract/signals/log-sinks'
import { notify } from '#src/lib/notify.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { type ComparedField, differences } from '#src/ui/form/differences.ts'
import { RecordConflict } from '#src/ui/form/record-conflict.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { LogSinkFields, problemsOf, SINK_INPUTS, type SinkDraft, typedSecret } from './log-sink-fields.tsx'
import { useUpdateLogSink } from './log-shipping.api.ts'

/** Edits the version of a log sink that the dialog was opened with. A blank secret stays as it is, unless it is removed. */
export function EditLogSinkDialog({ sink, onClose }: { sink: LogSink; onClose: () => void }) {
  const update = useUpdateLogSink()
  const { kind } = sink
  const form = useFormFrame({
    initialValues: draftOf(sink),
    validate: (draft) => problemsOf(kind, draft),
    inputs: SINK_INPUTS,
    record: sink,
    about: { id: sink.id, noun: 'log sink' },
    stale: staleLogSink,
    send: (draft, latest) => {
      const { name, address, certificate_authority } = draft
      const { version } = latest ?? sink
      if (kind === 'file') return update.mutateAsync({ id: sink.id, version, body: { name } })
      const body = {
        name,
        address,
        certificate_authority: certificate_authority.trim() === '' ? null : certificate_authority,
        ...typedSecret(kind, draft),
      }
      return update.mutateAsync({ id: sink.id, version, body })
    },
    onSaved: ({ name }) => {
      onClose()
      notify('ok', `${name} was saved.`)
    },
    failure: 'Failed to update log sink.',
  })
  return (
    <DialogForm title="Edit Log Sink" size="lg" form={form} submit="Save Changes" onClose={onClose}>
      <RecordConflict
        form={form}
        draftOf={draftOf}
        differencesTo={(saved) => differences(FIELDS, draftOf(saved), form.values)}
      />
      <LogSinkFields kind={kind} form={form} {...storedSecret(sink)} />
    </DialogForm>
  )
}

function draftOf({ name, address, certificate_authority }: LogSink): SinkDraft {
  return {
    name,
    address: address ?? '',
    certificate_authority: certificate_authority ?? '',
    secret: '',
    removesSecret: false,
  }
}

const FIELDS: ComparedField<SinkDraft>[] = [
  { label: 'Name', text: ({ name }) => name },
  { label: 'Address', text: ({ address }) => address },
  { label: 'Certificate authority', text: ({ certificate_authority }) => certificate_authority },
]

function storedSecret({ header_names, has_client_certificate }: LogSink): { stored?: string } {
  if (header_names.length > 0) return { stored: header_names.join(', ') }
  return has_client_certificate ? { stored: 'the stored ones' } : {}
}
