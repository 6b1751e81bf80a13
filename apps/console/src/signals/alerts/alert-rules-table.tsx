import { ALERT_KINDS } from '@switchboard/contract/signals/alert-kinds'
import type { AlertRule, AlertRules } from '@switchboard/contract/signals/alert-rules'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { recipientsText, thresholdText } from './alert-labels.ts'
import css from './alert-rules-table.module.css'

/** Before the people and webhooks have loaded. */
const NOBODY = { people: [], webhooks: [] }

/** The columns of the rules. `all` has the people who can be told. */
export function ruleColumns(all: AlertRules | undefined): Column<AlertRule>[] {
  return [
    { head: 'Alert', cell: ({ kind }) => <Kind kind={kind} />, skeleton: '70%' },
    { head: 'Alert at', cell: (rule) => thresholdText(rule) ?? '', skeleton: '90px', visibleFrom: 'small' },
    { head: 'Tells', cell: (rule) => <Tells rule={rule} all={all} />, width: '22%', skeleton: '70%' },
    {
      head: 'Quiet hours',
      cell: ({ is_urgent }) => (is_urgent ? 'Sent anyway' : 'Waits'),
      skeleton: '64px',
      visibleFrom: 'medium',
    },
    { head: 'Status', cell: (rule) => <Status rule={rule} />, skeleton: '40px' },
  ]
}

/** A rule on a phone. */
export function RulePhoneRow({ rule, all }: { rule: AlertRule; all: AlertRules | undefined }) {
  const threshold = thresholdText(rule)
  const recipients = recipientsText(rule, all ?? NOBODY)
  return (
    <PhoneRow
      name={ALERT_KINDS[rule.kind].label}
      badge={<Status rule={rule} />}
      facts={threshold === null ? [recipients] : [threshold, recipients]}
    />
  )
}

function Kind({ kind }: Pick<AlertRule, 'kind'>) {
  const { label, description } = ALERT_KINDS[kind]
  return (
    <div className={css.kind}>
      <div className="strong">{label}</div>
      <div className={css.description}>{description}</div>
    </div>
  )
}

function Tells({ rule, all }: { rule: AlertRule; all: AlertRules | undefined }) {
  return (
    <div className={css.cut} data-tooltip="cut">
      {recipientsText(rule, all ?? NOBODY)}
    </div>
  )
}

function Status({ rule: { is_on } }: { rule: AlertRule }) {
  return is_on ? <Badge tone="ok" text="On" dot /> : <Badge tone="neutral" text="Off" dot />
}
