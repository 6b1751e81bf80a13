import { RECENT_CALL_DAYS, type RecentCalls } from '@switchboard/contract/api-keys/key-list'
import { countText } from '#src/lib/format/count.ts'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { callsText, callTotals } from './api-key-labels.ts'
import css from './key-calls.module.css'

const HEIGHT = 20
const BAR = 5
const STEP = 7

/** The calls of the last days: bars with the refused calls on top, and the number of refused or of all calls. */
export function KeyCalls({ calls, hasBars }: { calls: RecentCalls; hasBars: boolean }) {
  const { all, refused } = callTotals(calls)
  const text = callsText({ all, refused })
  return (
    <div className={css.calls} data-tooltip={`${text} in ${RECENT_CALL_DAYS} days`}>
      {hasBars && <Sparkline calls={calls} />}
      <span className={refused > 0 ? css.refusedCount : css.count} aria-hidden>
        {refused > 0 ? `${countText(refused)} refused` : all === 0 ? 'None' : countText(all)}
      </span>
      <span className={hidden.hidden}>{text}</span>
    </div>
  )
}

/** Two paths for all bars: a page has up to 200 rows. A day without calls is a line. */
function Sparkline({ calls }: { calls: RecentCalls }) {
  const most = Math.max(1, ...calls.map(({ accepted, refused }) => accepted + refused))
  const height = (count: number) => (count === 0 ? 0 : Math.max(2, Math.round((HEIGHT * count) / most)))
  const bars = calls.map(({ accepted, refused }, day) => {
    const accepting = accepted + refused === 0 ? 1 : height(accepted)
    const refusing = Math.min(height(refused), HEIGHT - (accepted === 0 ? 0 : 2))
    const from = Math.min(accepting, HEIGHT - refusing)
    return {
      accepted: bar(day, 0, from),
      refused: bar(day, from, refusing),
    }
  })
  return (
    <svg width={STEP * calls.length} height={HEIGHT} aria-hidden>
      <path className={css.accepted} d={bars.map((one) => one.accepted).join('')} />
      <path className={css.refused} d={bars.map((one) => one.refused).join('')} />
    </svg>
  )
}

/** The path of a bar that begins `from` pixels above the bottom. */
function bar(day: number, from: number, height: number): string {
  return height === 0 ? '' : `M${day * STEP} ${HEIGHT - from}h${BAR}v${-height}h${-BAR}z`
}
