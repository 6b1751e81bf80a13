import type { AlertRules } from '@switchboard/contract/signals/alert-rules'
import { CheckField } from '#src/ui/form/check-field.tsx'
import { SegmentedControl } from '#src/ui/form/segmented-control.tsx'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import css from './recipients-field.module.css'

const CHOICES = [
  { value: true, label: 'Super Admins' },
  { value: false, label: 'Chosen People' },
]

type Props = Control<string[] | null> & { people: AlertRules['people'] }

/** Who gets a mail: all super admins, or chosen members of the team. */
export function RecipientsField({ value, people, disabled, error, onChange }: Props) {
  const superAdmins = people.filter(({ is_super_admin }) => is_super_admin).map(({ id }) => id)
  return (
    <fieldset className={css.field} disabled={disabled}>
      <legend className={css.legend}>Mail to</legend>
      <SegmentedControl
        label="Mail to"
        options={CHOICES}
        value={value === null}
        disabled={disabled}
        onChange={(isEveryone) => onChange(isEveryone ? null : superAdmins)}
      />
      {value !== null && (
        <div className={css.people}>
          {people.map(({ id, email }) => (
            <CheckField
              key={id}
              label={<bdi className={css.email}>{email}</bdi>}
              checked={value.includes(id)}
              disabled={disabled}
              onChange={(isChecked) => onChange(isChecked ? [...value, id] : value.filter((other) => other !== id))}
            />
          ))}
        </div>
      )}
      {value?.length === 0 && <p className="second-line">Nobody gets a mail. Alerts are shown at the bell.</p>}
      {error}
    </fieldset>
  )
}

type WebhooksProps = Control<string[]> & { webhooks: AlertRules['webhooks'] }

/** Which webhooks get a message. */
export function WebhooksField({ value, webhooks, disabled, error, onChange }: WebhooksProps) {
  return (
    <fieldset className={css.field} disabled={disabled}>
      <legend className={css.legend}>Message to webhooks</legend>
      <div className={css.people}>
        {webhooks.map(({ id, name }) => (
          <CheckField
            key={id}
            label={<bdi className={css.email}>{name}</bdi>}
            checked={value.includes(id)}
            disabled={disabled}
            onChange={(isChecked) => onChange(isChecked ? [...value, id] : value.filter((other) => other !== id))}
          />
        ))}
      </div>
      {error}
    </fieldset>
  )
}
