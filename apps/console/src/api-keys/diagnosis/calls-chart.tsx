import { KEY_OUTCOMES, type KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import type { KeyCalls } from '@switchboard/contract/api-keys/key-calls'
import { type ReactNode, useState } from 'react'
import { OUTCOME_LABELS, REFUSAL_LABELS } from '#src/api-keys/key-outcome-labels.ts'
import { countText } from '#src/lib/format/count.ts'
import { timeText, utcDayText } from '#src/lib/format/moment.ts'
import { SegmentedControl } from '#src/ui/form/segmented-control.tsx'
import { HiddenTable } from '#src/ui/page/hidden-table.tsx'
import css from './calls-chart.module.css'
import { DrawerSection } from './drawer-section.tsx'
import { scaleOf } from '#src/ui/page/scale.ts'

type Counts = KeyCalls['days'][number]['counts']
type Bar = { id: string; label: string; counts: Counts }
type Range = { days: number | null; label: string; name: string; labelEvery: number }

/** `days` is null for hours. One of `labelEvery` bars has a label. */
const RANGES_OF_KEY: readonly Range[] = [
  { days: null, label: '24 h', name: 'Calls of 24 hours', labelEvery: 6 },
  { days: 7, label: '7 d', name: 'Calls of 7 days', labelEvery: 1 },
  { days: 30, label: '30 d', name: 'Calls of 30 days', labelEvery: 7 },
]
const RANGES_OF_TENANT: readonly Range[] = [7, 30, 90].map((days) => ({
  days,
  label: `${days} days`,
  name: `Calls of ${days} days`,
  labelEvery: Math.max(1, 7 * Math.floor(days / 30)),
}))
const DAYS_DEFAULT = 30

type Frame = (props: { title: string; action: ReactNode; children: ReactNode }) => ReactNode

type Props = {
  calls: Pick<KeyCalls, 'days'> & Partial<KeyCalls>
  title?: string
  Frame?: Frame
  /** A day of UTC with an event. */
  mark?: { day: string; text: string } | null
}

/** Calls of one key or several by hour or day of UTC, with the sums by outcome. */
export function CallsChart({ calls, title = 'Calls', Frame = DrawerSection, mark = null }: Props) {
  const ranges = calls.hours === undefined ? RANGES_OF_TENANT : RANGES_OF_KEY
  const [days, setDays] = useState<number | null>(DAYS_DEFAULT)
  const range = ranges.find((one) => one.days === days) ?? ranges[0]
  if (range === undefined) return null
  const bars = barsOf(calls, range.days)
  const total = (outcome: KeyOutcome) => bars.reduce((sum, { counts }) => sum + (counts[outcome] ?? 0), 0)
  const refused = KEY_OUTCOMES.filter((outcome) => outcome !== 'valid').filter((outcome) => total(outcome) > 0)
  const sum = refused.reduce((count, outcome) => count + total(outcome), 0)
  return (
    <Frame
      title={title}
      action={
        <SegmentedControl
          label="Time range"
          options={ranges.map((one) => ({ value: one.days, label: one.label }))}
          value={range.days}
          onChange={setDays}
        />
      }
    >
      <ul className={css.totals} aria-label="Totals">
        <li>
          <strong>{countText(total('valid'))}</strong> accepted
        </li>
        <li className={css.ofRefused}>
          <strong>{countText(sum)}</strong> refused
        </li>
      </ul>
      <Bars bars={bars} labelEvery={range.labelEvery} mark={mark} />
      <HiddenTable
        caption={range.name}
        head={[
          range.days === null ? 'Hour' : 'Day',
          'Accepted',
          'Refused',
          ...refused.map((one) => OUTCOME_LABELS[one]),
        ]}
        rows={bars.map(({ id, label, counts }) => ({
          id,
          cells: [label, acceptedOf(counts), refusedOf(counts), ...refused.map((one) => counts[one] ?? 0)],
        }))}
      />
      {refused.length > 0 && (
        <p className="note">
          Refused: {refused.map((outcome) => `${REFUSAL_LABELS[outcome]} (${countText(total(outcome))})`).join(', ')}
        </p>
      )}
    </Frame>
  )
}

function barsOf({ hours = [], days }: Props['calls'], count: number | null): Bar[] {
  if (count === null) return hours.map(({ at, counts }) => ({ id: at, label: timeText(at), counts }))
  return days.slice(-count).map(({ day, counts }) => ({ id: day, label: utcDayText(day), counts }))
}

type BarsProps = { bars: Bar[]; labelEvery: number; mark: Props['mark'] }

/** The bars with their scale. Hidden from screen readers, which have the table. The last one is not over yet. */
function Bars({ bars, labelEvery, mark }: BarsProps) {
  const scale = scaleOf(Math.max(...bars.map(({ counts }) => acceptedOf(counts) + refusedOf(counts))))
  const percent = (count: number) => `${(100 * count) / (scale.at(-1) ?? 1)}%`
  const markedAt = mark ? bars.findIndex(({ id }) => id === mark.day) : -1
  return (
    <div className={css.plot} aria-hidden>
      <div className={css.scale}>
        {scale.toReversed().map((value) => (
          <span key={value}>{countText(value)}</span>
        ))}
      </div>
      <div className={css.bars} style={{ '--steps': scale.length - 1 }}>
        {bars.map(({ id, label, counts }, at) => (
          <div
            key={id}
            className={`${css.bar} ${at === bars.length - 1 ? css.open : ''}`}
            data-tooltip={tooltipText(label, counts)}
          >
            <span className={css.refused} style={{ height: percent(refusedOf(counts)) }} />
            <span className={css.accepted} style={{ height: percent(acceptedOf(counts)) }} />
          </div>
        ))}
        {mark && markedAt >= 0 && (
          <span
            className={`${css.mark} ${markedAt > bars.length / 2 ? css.before : ''}`}
            style={{ left: `${(100 * markedAt) / bars.length}%` }}
          >
            {mark.text}
          </span>
        )}
      </div>
      <div className={css.axis}>
        {bars.map(({ id, label }, at) => (
          <span key={id}>{at % labelEvery === Math.floor(labelEvery / 2) && label}</span>
        ))}
      </div>
    </div>
  )
}

/** "Nov 18: 5 accepted, 3 refused (key inactive: 3)". */
function tooltipText(label: string, counts: Counts): string {
  const reasons = KEY_OUTCOMES.flatMap((outcome) =>
    outcome !== 'valid' && counts[outcome] ? `${REFUSAL_LABELS[outcome]}: ${counts[outcome]}` : [],
  )
  const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`
  return `${label}: ${acceptedOf(counts)} accepted, ${refusedOf(counts)} refused${why}`
}

function acceptedOf(counts: Counts): number {
  return counts.valid ?? 0
}

function refusedOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + (count ?? 0), 0) - acceptedOf(counts)
}
