import css from './sparkline.module.css'

const HEIGHT = 24
const BAR = 3
const STEP = 4

type Day = { accepted: number; refused?: number }

/** Bars of days without an axis, refused calls on top, in two paths: a page has up to 200 rows. Decorative: the text beside it has the figures. */
export function Sparkline({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ accepted, refused = 0 }) => accepted + refused))
  const bars = days.map(({ accepted, refused = 0 }, at) => {
    const [whole, top] = [heightOf(accepted + refused, most), refused === 0 ? 0 : heightOf(refused, most)]
    return { accepted: bar(at, 0, whole - top), refused: bar(at, whole - top, top) }
  })
  return (
    <svg
      className={css.bars}
      viewBox={`0 0 ${STEP * days.length - 1} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path className={css.accepted} d={bars.map((one) => one.accepted).join('')} />
      <path className={css.refused} d={bars.map((one) => one.refused).join('')} />
    </svg>
  )
}

/** A day with few calls is a line of two pixels, a day without any a line of one. */
function heightOf(count: number, most: number): number {
  return count === 0 ? 1 : Math.max(2, Math.round((HEIGHT * count) / most))
}

/** The path of a bar that begins `from` pixels above the bottom. */
function bar(at: number, from: number, height: number): string {
  return height === 0 ? '' : `M${at * STEP} ${HEIGHT - from}h${BAR}v${-height}h${-BAR}z`
}
