import { RECENT_CALL_DAYS, type RecentCalls } from '@switchboard/contract/api-keys/key-list'
import { countText } from '#src/lib/format/count.ts'
import { Sparkline } from '#src/ui/page/sparkline.tsx'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { callsText, callTotals } from './api-key-labels.ts'
import css from './key-calls.module.css'

/** The calls of the last days: bars with the refused calls on top, and the number of refused or of all calls. */
export function KeyCalls({ calls }: { calls: RecentCalls }) {
  const { all, refused } = callTotals(calls)
  const text = callsText({ all, refused })
  return (
    <div className="line" data-tooltip={`${text} in ${RECENT_CALL_DAYS} days`}>
      <div className={css.bars}>
        <Sparkline days={calls} />
      </div>
      <span className={refused > 0 ? 'ink-bad' : 'ink-2'} aria-hidden>
        {refused > 0 ? `${countText(refused)} refused` : all === 0 ? 'None' : countText(all)}
      </span>
      <span className={hidden.hidden}>{text}</span>
    </div>
  )
}
