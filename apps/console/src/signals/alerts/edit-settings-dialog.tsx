import { NativeSelect, TextInput } from '@mantine/core'
import {
  type AlertSettings,
  DIGEST_MINUTES_MAX,
  SAME_TIMES,
  thresholdRefused,
} from '@switchboard/contract/signals/alert-rules'
import { ownTimeZone } from '#src/lib/format/moment.ts'
import { CheckField } from '#src/ui/form/check-field.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { useUpdateAlertSettings } from './alert-rules.api.ts'
import css from './edit-settings-dialog.module.css'

/** Every half hour of a day. */
const TIMES = Array.from({ length: 48 }, (_, n) => `${String(n >> 1).padStart(2, '0')}:${n % 2 === 0 ? '00' : '30'}`)

type Draft = { digest_minutes: string; is_quiet: boolean; from: string; to: string; time_zone: string }

/** Changes when messages are sent. */
export function EditSettingsDialog({ settings, onClose }: { settings: AlertSettings; onClose: () => void }) {
  const update = useUpdateAlertSettings()
  const { quiet_hours } = settings
  const initialValues: Draft = {
    digest_minutes: String(settings.digest_minutes),
    is_quiet: quiet_hours !== null,
    from: quiet_hours?.from ?? '22:00',
    to: quiet_hours?.to ?? '07:00',
    time_zone: quiet_hours?.time_zone ?? ownTimeZone(),
  }
  const form = useFormFrame({
    initialValues,
    validate: ({ digest_minutes, is_quiet, from, to }) => ({
      digest_minutes:
        !(/^\d{1,4}$/.test(digest_minutes.trim()) && isMinutes(Number(digest_minutes))) &&
        thresholdRefused({ min: 1, max: DIGEST_MINUTES_MAX }),
      to: is_quiet && from === to && SAME_TIMES,
    }),
    send: (draft) => update.mutateAsync(bodyOf(draft)),
    onSaved: onClose,
    failure: 'Failed to save the times.',
  })
  return (
    <DialogForm title="Times of Messages" form={form} submit="Save Times" onClose={onClose}>
      <TextInput
        label="Minutes between two messages"
        description="What happens in between is in the next message."
        inputMode="numeric"
        autoComplete="off"
        required
        {...form.getInputProps('digest_minutes')}
      />
      <CheckField
        label="Quiet hours"
        help="Messages wait until they end, except those of rules that say otherwise."
        checked={form.values.is_quiet}
        disabled={form.submitting}
        onChange={form.control('is_quiet').onChange}
      />
      {form.values.is_quiet && (
        <div className={css.hours}>
          <NativeSelect label="From" data={withValue(TIMES, initialValues.from)} {...form.getInputProps('from')} />
          <NativeSelect label="To" data={withValue(TIMES, initialValues.to)} {...form.getInputProps('to')} />
          <NativeSelect
            label="Time zone"
            className={css.zone}
            data={withValue(['UTC', ...Intl.supportedValuesOf('timeZone')], initialValues.time_zone)}
            {...form.getInputProps('time_zone')}
          />
        </div>
      )}
    </DialogForm>
  )
}

function isMinutes(minutes: number): boolean {
  return minutes >= 1 && minutes <= DIGEST_MINUTES_MAX
}

function bodyOf({ digest_minutes, is_quiet, from, to, time_zone }: Draft): AlertSettings {
  return { digest_minutes: Number(digest_minutes), quiet_hours: is_quiet ? { from, to, time_zone } : null }
}

/** Options in order. A value set by another program may be none of them. */
function withValue(options: string[], value: string): string[] {
  return [...new Set([...options, value])].toSorted()
}
