import { KEY_OUTCOMES, type KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import type { KeyCalls } from '@switchboard/contract/api-keys/key-calls'
import { type ReactNode, useState } from 'react'
import { OUTCOME_LABELS } from '#src/api-keys/key-outcome-labels.ts'
import { countText } from '#src/lib/format/count.ts'
import { timeText, utcDayText } from '#src/lib/format/moment.ts'
import { SegmentedControl } from '#src/ui/form/segmented-control.tsx'
import hidden from '#src/ui/page/visually-hidden.module.css'
import css from './calls-chart.module.css'
import { DrawerSection } from './drawer-section.tsx'
import { scaleOf } from './scale.ts'

type Counts = KeyCalls['days'][number]['counts']
type Bar = { id: string; label: string; counts: Counts }

const RANGES = [
  { id: 'hours', label: '24 h', name: 'Calls of 24 hours', unit: 'Hour' },
  { id: 'week', label: '7 d', name: 'Calls of 7 days', unit: 'Day' },
  { id: 'month', label: '30 d', name: 'Calls of 30 days', unit: 'Day' },
] as const
const RANGE_OPTIONS = RANGES.map((range) => ({ value: range, label: range.label }))

type Frame = (props: { title: string; action: ReactNode; children: ReactNode }) => ReactNode

type Props = { calls: KeyCalls; title?: string; Frame?: Frame }

/** Calls of one key or several by hour or day of UTC, with the sums by outcome. */
export function CallsChart({ calls, title = 'Calls', Frame = DrawerSection }: Props) {
  const [chosen, setChosen] = useState<(typeof RANGES)[number]>(RANGES[2])
  const bars = barsOf(calls, chosen.id)
  const total = (outcome: KeyOutcome) => bars.reduce((sum, { counts }) => sum + (counts[outcome] ?? 0), 0)
  const refused = KEY_OUTCOMES.filter((outcome) => outcome !== 'valid' && total(outcome) > 0)
  return (
    <Frame
      title={title}
      action={<SegmentedControl label="Time range" options={RANGE_OPTIONS} value={chosen} onChange={setChosen} />}
    >
      <Bars bars={bars} />
      <CallsTable bars={bars} refused={refused} {...chosen} />
      <ul className={css.totals} aria-label="Totals">
        <li>
          <strong>{countText(total('valid'))}</strong> accepted
        </li>
        {refused.map((outcome) => (
          <li key={outcome} className={css.reason}>
            <strong>{countText(total(outcome))}</strong> {OUTCOME_LABELS[outcome]}
          </li>
        ))}
      </ul>
    </Frame>
  )
}

function barsOf({ hours, days }: KeyCalls, range: (typeof RANGES)[number]['id']): Bar[] {
  if (range === 'hours') return hours.map(({ at, counts }) => ({ id: at, label: timeText(at), counts }))
  const shown = range === 'week' ? days.slice(-7) : days
  return shown.map(({ day, counts }) => ({ id: day, label: utcDayText(day), counts }))
}

/** The bars with their scale. Hidden from screen readers, which have the table. */
function Bars({ bars }: { bars: Bar[] }) {
  const scale = scaleOf(Math.max(...bars.map(({ counts }) => acceptedOf(counts) + refusedOf(counts))))
  const percent = (count: number) => `${(100 * count) / scale}%`
  return (
    <div className={css.plot} aria-hidden>
      <div className={css.scale}>
        <span>{countText(scale)}</span>
        <span>{scale > 1 && countText(scale / 2)}</span>
        <span>0</span>
      </div>
      <div className={css.bars}>
        {bars.map(({ id, label, counts }) => (
          <div key={id} className={css.bar} data-tooltip={tooltipText(label, counts)}>
            <span className={css.refused} style={{ height: percent(refusedOf(counts)) }} />
            <span className={css.accepted} style={{ height: percent(acceptedOf(counts)) }} />
          </div>
        ))}
      </div>
      <div className={css.axis}>
        {[...bars.slice(0, 1), ...bars.slice(-1)].map(({ id, label }) => (
          <span key={id}>{label}</span>
        ))}
      </div>
    </div>
  )
}

function CallsTable({ bars, refused, name, unit }: { bars: Bar[]; refused: KeyOutcome[]; name: string; unit: string }) {
  return (
    <div className={hidden.hidden}>
      <table>
        <caption>{name}</caption>
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            <th scope="col">Accepted</th>
            <th scope="col">Refused</th>
            {refused.map((outcome) => (
              <th key={outcome} scope="col">
                {OUTCOME_LABELS[outcome]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ id, label, counts }) => (
            <tr key={id}>
              <th scope="row">{label}</th>
              <td>{acceptedOf(counts)}</td>
              <td>{refusedOf(counts)}</td>
              {refused.map((outcome) => (
                <td key={outcome}>{counts[outcome] ?? 0}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** "Nov 18: 5 accepted, 3 refused (The key is switched off: 3)". */
function tooltipText(label: string, counts: Counts): string {
  const reasons = KEY_OUTCOMES.flatMap((outcome) =>
    outcome !== 'valid' && counts[outcome] ? `${OUTCOME_LABELS[outcome]}: ${counts[outcome]}` : [],
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
