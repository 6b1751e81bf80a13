import { Button } from '@mantine/core'
import { type ApiKeyDay, USAGE_DAYS } from '@switchboard/contract/api-keys'
import { KEY_OUTCOMES, type KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { useQuery } from '@tanstack/react-query'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { counted, countText } from '#src/lib/format/count.ts'
import { utcDayText } from '#src/lib/format/moment.ts'
import { OUTCOME_LABELS } from './key-outcome-labels.ts'
import { apiKeyUsageQuery } from './api-keys.api.ts'
import css from './key-use-dialog.module.css'

/** The calls of a key in the last 30 days, and the reasons of refusals. */
export function KeyUseDialog({ keyId, onClose }: { keyId: string; onClose: () => void }) {
  const usage = useQuery(apiKeyUsageQuery(keyId))
  return (
    <Dialog title="API key: usage" onClose={onClose}>
      <DialogMain>
        <div className={css.content} aria-busy={usage.isPending}>
          {usage.isPending && <div className={css.skeleton} />}
          {usage.isError && (
            <LoadError
              plain
              title="The usage could not be loaded"
              queries={[usage]}
              failure="An unexpected error occurred."
            />
          )}
          {usage.data && <Use days={usage.data.days} />}
        </div>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function Use({ days }: { days: ApiKeyDay[] }) {
  const total = (outcome: KeyOutcome) => days.reduce((sum, { counts }) => sum + (counts[outcome] ?? 0), 0)
  const refused = KEY_OUTCOMES.filter((outcome) => outcome !== 'valid' && total(outcome) > 0)
  const refusals = refused.reduce((sum, outcome) => sum + total(outcome), 0)
  if (total('valid') + refusals === 0) {
    return (
      <EmptyState
        plain
        title={`No calls in the last ${USAGE_DAYS} days.`}
        help="Every check of this key is counted here by day, with the reason when it is refused."
      />
    )
  }
  return (
    <>
      <p className={css.summary}>
        Last {USAGE_DAYS} days: <strong>{counted(total('valid'), 'call')} accepted</strong>, {countText(refusals)}{' '}
        refused. Days are in UTC.
      </p>
      <Chart days={days} refused={refused} />
      {refused.length > 0 && (
        <ul className={css.reasons}>
          {refused.map((outcome) => (
            <li key={outcome}>
              <span>{OUTCOME_LABELS[outcome]}</span>
              <span>{countText(total(outcome))}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** A bar chart (hidden from screen readers), and a visually hidden table with the same figures. */
function Chart({ days, refused }: { days: ApiKeyDay[]; refused: KeyOutcome[] }) {
  const most = Math.max(1, ...days.map(({ counts }) => accepted(counts) + refusedOf(counts)))
  return (
    <>
      <div className={css.chart} aria-hidden>
        {days.map(({ day, counts }) => (
          <div key={day} className={css.day} data-tooltip={tooltipText({ day, counts })}>
            <span className={css.refused} style={{ height: `${(100 * refusedOf(counts)) / most}%` }} />
            <span className={css.accepted} style={{ height: `${(100 * accepted(counts)) / most}%` }} />
          </div>
        ))}
      </div>
      <div className={css.axis} aria-hidden>
        {[...days.slice(0, 1), ...days.slice(-1)].map(({ day }) => (
          <span key={day}>{utcDayText(day)}</span>
        ))}
      </div>
      <div className={hidden.hidden}>
        <table>
          <caption>Calls by day</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
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
            {days.map(({ day, counts }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{accepted(counts)}</td>
                <td>{refusedOf(counts)}</td>
                {refused.map((outcome) => (
                  <td key={outcome}>{counts[outcome] ?? 0}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** "Nov 18: 5 accepted, 3 refused (The key is inactive: 3)". */
function tooltipText({ day, counts }: ApiKeyDay): string {
  const reasons = KEY_OUTCOMES.flatMap((outcome) =>
    outcome !== 'valid' && counts[outcome] ? `${OUTCOME_LABELS[outcome]}: ${counts[outcome]}` : [],
  )
  const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`
  return `${utcDayText(day)}: ${accepted(counts)} accepted, ${refusedOf(counts)} refused${why}`
}

function accepted(counts: ApiKeyDay['counts']): number {
  return counts.valid ?? 0
}

function refusedOf(counts: ApiKeyDay['counts']): number {
  return Object.values(counts).reduce((sum, count) => sum + (count ?? 0), 0) - accepted(counts)
}
