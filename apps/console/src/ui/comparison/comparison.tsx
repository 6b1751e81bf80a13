import { Button } from '@mantine/core'
import { useState } from 'react'
import { counted } from '#src/lib/format/count.ts'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { compareTexts, type Line, type Row } from './compare-texts.ts'
import css from './comparison.module.css'
import { visibleBlanks } from './visible-blanks.ts'

export type ComparisonView = 'split' | 'inline'

/** Unchanged lines shown around a change, and the shortest stretch worth hiding. */
const AROUND = 3
const HIDDEN_MIN = 4
/** Lines rendered at once. */
const SHOWN_MAX = 600

type Props = { label: string; before: string; after: string; view: ComparisonView }

/** Differences of two texts: side by side, or inline (always on phones). */
export function Comparison({ label, before, after, view }: Props) {
  const isPhone = useIsPhone()
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const [shownMax, setShownMax] = useState(SHOWN_MAX)
  const rows = compareTexts(before, after)
  const changed = rows.filter(({ kind }) => kind !== 'same')
  if (changed.length === 0) return <p className="ink-2">The texts are the same.</p>
  const stretches = stretchesOf(rows, unfolded)
  const total = stretches.reduce((sum, { lines }) => sum + (lines?.length ?? 0), 0)
  const isSplit = view === 'split' && !isPhone
  return (
    <div className={css.comparison}>
      <p className={css.summary}>
        <ins>+{counted(changed.filter((row) => row.after).length, 'line')}</ins>{' '}
        <del>−{counted(changed.filter((row) => row.before).length, 'line')}</del>
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable, so the keyboard must reach the element */}
      <section className={css.scroll} aria-label={label} tabIndex={0}>
        <table className={isSplit ? css.split : css.inline} aria-label={label}>
          {/* The first row may be a fold: a fold spans all columns and sets no widths. */}
          <colgroup>
            <col className={css.numbers} />
            {isSplit && <col />}
            <col className={css.numbers} />
            <col />
          </colgroup>
          {cut(stretches, shownMax).map(({ start, lines, hidden }) => (
            <tbody key={start}>
              {lines === null ? (
                <tr>
                  <td colSpan={isSplit ? 4 : 3} className={css.fold}>
                    <button type="button" onClick={() => setUnfolded(new Set(unfolded).add(start))}>
                      Show {counted(hidden, 'Unchanged Line')}
                    </button>
                  </td>
                </tr>
              ) : (
                lines.map((row) => (isSplit ? <SplitRow key={keyOf(row)} {...row} /> : inlineRows(row)))
              )}
            </tbody>
          ))}
        </table>
      </section>
      {total > shownMax && (
        <Button variant="default" size="compact-md" onClick={() => setShownMax(shownMax + SHOWN_MAX)}>
          Show More of {counted(total - shownMax, 'Line')}
        </Button>
      )}
    </div>
  )
}

type Stretch = { start: number; lines: Row[]; hidden: 0 } | { start: number; lines: null; hidden: number }

/** Rows with long unchanged parts folded until expanded. */
function stretchesOf(rows: Row[], unfolded: ReadonlySet<number>): Stretch[] {
  const isNear = new Uint8Array(rows.length)
  rows.forEach(({ kind }, index) => {
    if (kind !== 'same') isNear.fill(1, Math.max(0, index - AROUND), index + AROUND + 1)
  })
  const stretches: Stretch[] = []
  for (let start = 0; start < rows.length;) {
    let end = start
    while (end < rows.length && isNear[end] === isNear[start]) end += 1
    const isHidden = isNear[start] === 0 && end - start >= HIDDEN_MIN && !unfolded.has(start)
    if (isHidden) stretches.push({ start, lines: null, hidden: end - start })
    else stretches.push({ start, lines: rows.slice(start, end), hidden: 0 })
    start = end
  }
  return stretches
}

/** The first parts, up to the maximum number of lines. */
function cut(stretches: Stretch[], max: number): Stretch[] {
  const shown: Stretch[] = []
  let left = max
  for (const stretch of stretches) {
    if (left <= 0) break
    const lines = stretch.lines?.slice(0, left)
    shown.push(lines ? { start: stretch.start, lines, hidden: 0 } : stretch)
    left -= lines?.length ?? 0
  }
  return shown
}

function keyOf({ before, after }: Row): string {
  return `${before?.number ?? ''}/${after?.number ?? ''}`
}

function SplitRow({ kind, before, after }: Row) {
  return (
    <tr>
      <LineNumber line={before} />
      <LineText line={before} look={kind === 'same' ? 'same' : before ? 'removed' : 'absent'} />
      <LineNumber line={after} />
      <LineText line={after} look={kind === 'same' ? 'same' : after ? 'added' : 'absent'} />
    </tr>
  )
}

/** A changed line has two rows: before and after. */
function inlineRows(row: Row) {
  const { kind, before, after } = row
  if (kind === 'same') {
    return (
      <tr key={keyOf(row)}>
        <LineNumber line={before} />
        <LineNumber line={after} />
        <LineText line={after} look="same" />
      </tr>
    )
  }
  return [
    before && (
      <tr key={`${keyOf(row)}-`}>
        <LineNumber line={before} />
        <LineNumber line={null} />
        <LineText line={before} look="removed" />
      </tr>
    ),
    after && (
      <tr key={`${keyOf(row)}+`}>
        <LineNumber line={null} />
        <LineNumber line={after} />
        <LineText line={after} look="added" />
      </tr>
    ),
  ]
}

function LineNumber({ line }: { line: Line | null }) {
  return <td className={css.number}>{line?.number}</td>
}

function LineText({ line, look }: { line: Line | null; look: 'same' | 'removed' | 'added' | 'absent' }) {
  const Mark = look === 'removed' ? 'del' : 'ins'
  const isWhole = line?.parts.every(({ isChanged }) => isChanged) === true
  return (
    <td className={`${css.text} ${css[look]} ${isWhole ? '' : css.marked}`} dir="auto">
      {line?.parts.map(({ text, isChanged, at }) =>
        // An added or removed empty line shows its line end.
        isChanged ? <Mark key={at}>{text === '' ? '↵' : visibleBlanks(text)}</Mark> : text,
      )}
    </td>
  )
}
