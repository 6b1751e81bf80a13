import { TextInput } from '@mantine/core'
import { ALERT_KINDS } from '@switchboard/contract/signals/alert-kinds'
import {
  type AlertRule,
  type AlertRules,
  thresholdRefused,
  type UpdateAlertRuleBody,
} from '@switchboard/contract/signals/alert-rules'
import { MAIL_IS_OFF } from '@switchboard/contract/mail'
import { countText } from '#src/lib/format/count.ts'
import { CheckField } from '#src/ui/form/check-field.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { Notice } from '#src/ui/notice/notice.tsx'
import { useUpdateAlertRule } from './alert-rules.api.ts'
import { RecipientsField, WebhooksField } from './recipients-field.tsx'

type Draft = { is_on: boolean; is_urgent: boolean; threshold: string; user_ids: string[] | null; webhook_ids: string[] }

/** Changes the rule of a kind: whether it alerts, from which number on, and whom it tells. */
export function EditRuleDialog({ rule, all, onClose }: { rule: AlertRule; all: AlertRules; onClose: () => void }) {
  const { label, description, threshold: limits } = ALERT_KINDS[rule.kind]
  const update = useUpdateAlertRule()
  const { is_on, is_urgent, user_ids, webhook_ids, threshold } = rule
  const initialValues: Draft = { is_on, is_urgent, user_ids, webhook_ids, threshold: String(threshold ?? '') }
  const form = useFormFrame({
    initialValues,
    validate: ({ threshold: typed }) => ({
      threshold: limits !== undefined && !isWithin(typed, limits) && thresholdRefused(limits),
    }),
    send: (draft) => update.mutateAsync({ kind: rule.kind, body: bodyOf(draft) }),
    onSaved: onClose,
    failure: 'Failed to save the rule.',
  })
  return (
    <DialogForm title={label} form={form} submit="Save Rule" onClose={onClose}>
      <p className="ink-2">{description}</p>
      <CheckField
        label="On"
        help="While the rule is off, nothing alerts, and its open alerts end."
        checked={form.values.is_on}
        disabled={form.submitting}
        onChange={form.control('is_on').onChange}
      />
      {limits !== undefined && (
        <TextInput
          label="Alert at"
          description={`${countText(limits.min)} to ${countText(limits.max)} ${limits.unit}`}
          inputMode="numeric"
          autoComplete="off"
          required
          {...form.getInputProps('threshold')}
        />
      )}
      {!all.is_mail_on && <Notice tone="info">{MAIL_IS_OFF} The people below get a mail as soon as it does.</Notice>}
      <RecipientsField people={all.people} {...form.control('user_ids')} />
      {all.webhooks.length > 0 && <WebhooksField webhooks={all.webhooks} {...form.control('webhook_ids')} />}
      <CheckField
        label="Also during quiet hours"
        help="Otherwise messages wait until the quiet hours end."
        checked={form.values.is_urgent}
        disabled={form.submitting}
        onChange={form.control('is_urgent').onChange}
      />
    </DialogForm>
  )
}

function isWithin(typed: string, { min, max }: { min: number; max: number }): boolean {
  return /^\d{1,10}$/.test(typed.trim()) && Number(typed) >= min && Number(typed) <= max
}

function bodyOf({ threshold, ...draft }: Draft): UpdateAlertRuleBody {
  return { ...draft, ...(threshold !== '' && { threshold: Number(threshold) }) }
}
