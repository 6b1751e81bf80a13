import { useState } from 'react'

/**
 * The number of items that fit on one line, all of them first. `watch` is the ref of the line. Its items are measured, except
 * one with `data-more`: the button for the others, of `moreWidth` pixels. An item beyond the end needs a width, so that a
 * wider window has room for it again.
 */
export function useFittingItems(moreWidth: number) {
  const [fitting, setFitting] = useState(Number.POSITIVE_INFINITY)
  const watch = (line: HTMLElement | null) => {
    if (line === null) return
    const measure = () => setFitting(fittingItems(line, moreWidth))
    // Also before the first paint: items on a second line would move what follows.
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(line)
    return () => observer.disconnect()
  }
  return { fitting, watch }
}

function fittingItems(line: HTMLElement, moreWidth: number): number {
  const gap = Number.parseFloat(getComputedStyle(line).columnGap) || 0
  const items = [...line.querySelectorAll<HTMLElement>(':scope > :not([data-more])')]
  const ends = items.map((_, index) =>
    items.slice(0, index + 1).reduce((sum, { offsetWidth }) => sum + offsetWidth + gap, -gap),
  )
  if ((ends.at(-1) ?? 0) <= line.clientWidth) return Number.POSITIVE_INFINITY
  return ends.filter((end) => end + gap + moreWidth <= line.clientWidth).length
}
