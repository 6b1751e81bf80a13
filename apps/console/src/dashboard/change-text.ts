/** The change of a figure in percent: "+12%", "−8%", "+0.4%"; null without a base. */
export function changeText(count: number, before: number): string | null {
  if (before === 0) return null
  const percent = (100 * (count - before)) / before
  const size = Math.abs(percent)
  if (size === 0) return '±0%'
  const text = size < 1 ? Math.max(size, 0.1).toFixed(1) : Math.round(size).toLocaleString('en-US')
  return `${percent > 0 ? '+' : '−'}${text}%`
}
